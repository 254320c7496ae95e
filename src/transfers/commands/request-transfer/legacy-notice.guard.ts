import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Registry } from '../../../accounts/index.js';
import type { Authenticated } from '../../../auth/index.js';

/**
 * Tells callers of class Legacy that their transfers end (decisions 3), and lets everybody pass. A guard, because that
 * comes before the body is checked: refusals of it say so too.
 */
@Injectable()
export class LegacyNoticeGuard implements CanActivate {
  constructor(private readonly registry: Registry) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const { principal } = http.getRequest<Authenticated>();
    const notice = principal && (await this.registry.legacyNotice(principal.accountUid));
    if (notice) void http.getResponse<FastifyReply>().headers(notice);
    return true;
  }
}
