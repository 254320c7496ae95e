import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';
import type { Preview } from '../../../event-store/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import { Homed } from '../../../platform/workers/index.js';
import type { RequestedCashOut } from '../requested-cash-out.js';
import type { AcceptedCashOut } from './cash-out.answer.js';

@Homed<RequestCashOut>(({ caller }) => caller.partition)
export class RequestCashOut extends Command<AcceptedCashOut> {
  constructor(
    readonly caller: Principal,
    readonly cashOut: RequestedCashOut,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
    readonly preview?: Preview,
  ) {
    super();
  }
}
