import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { requestOf } from '../platform/http/index.js';
import { LegacyNoticeGuard } from '../transfers/index.js';

/** The headers of transfers where transfers are scheduled: payouts of the same route have none. */
@Injectable()
export class LegacyScheduleNoticeGuard extends LegacyNoticeGuard {
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { body } = requestOf<FastifyRequest<{ Body?: { transfer?: unknown } | null }>>(context);
    return body?.transfer ? super.canActivate(context) : true;
  }
}
