import { Command } from '@nestjs/cqrs';
import type { TransactionSummary } from '../../../accounts/index.js';
import type { Principal } from '../../../auth/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import type { RequestedCashOut } from './cash-out.body.js';

export class CreatedCashOut {
  readonly transaction: TransactionSummary;
}

/** What was accepted: as it stood then, on a replay too. */
export interface AcceptedCashOut extends CreatedCashOut {
  readonly replayed: boolean;
}

export class RequestCashOut extends Command<AcceptedCashOut> {
  constructor(
    readonly caller: Principal,
    readonly cashOut: RequestedCashOut,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
  ) {
    super();
  }
}
