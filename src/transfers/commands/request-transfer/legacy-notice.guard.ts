import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Registry } from '../../../accounts/index.js';
import type { Authenticated } from '../../../auth/index.js';

/**
 * Sends accounts of class Legacy the sunset headers of transfers (decisions 3), and admits every caller. A guard runs
 * before the body is checked, so refusals carry the headers too.
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
