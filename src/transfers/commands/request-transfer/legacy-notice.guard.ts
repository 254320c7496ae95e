import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Registry } from '../../../accounts/index.js';
import type { Authenticated } from '../../../auth/index.js';
import { replyOf, requestOf } from '../../../platform/http/index.js';

/**
 * Sends accounts of class Legacy the sunset headers of transfers (decisions 3), and admits every caller. A guard runs
 * before the body is checked, so refusals carry the headers too.
 */
@Injectable()
export class LegacyNoticeGuard implements CanActivate {
  constructor(private readonly registry: Registry) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { principal } = requestOf<Authenticated>(context);
    const notice = principal && (await this.#notice(principal.accountUid));
    if (notice) void replyOf(context).headers(notice);
    return true;
  }

  /**
   * `Deprecation` (RFC 9745) from the day the account was opened, `Sunset` (RFC 8594) where the operator has set a
   * date.
   * @returns `undefined` for other classes
   */
  async #notice(accountUid: string): Promise<Record<string, string> | undefined> {
    const facts = await this.registry.facts(accountUid);
    if (facts.class !== 'Legacy') return undefined;
    const { settings } = await this.registry.partner(facts.partnerUid);
    return {
      deprecation: `@${Math.floor(facts.openedAt.getTime() / 1000)}`,
      ...(settings.sunsetDate && { sunset: new Date(settings.sunsetDate).toUTCString() }),
    };
  }
}
