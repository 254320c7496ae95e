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
    const notice = principal && (await this.registry.legacyNotice(principal.accountUid));
    if (notice) void replyOf(context).headers(notice);
    return true;
  }
}
