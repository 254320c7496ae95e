import { Command } from '@nestjs/cqrs';
import type { TransactionSummary } from '../../../accounts/index.js';
import type { Principal } from '../../../auth/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';

/** What was accepted: as it stood then, on a replay too. */
export interface AcceptedRefund {
  readonly transaction: TransactionSummary & { readonly type: 'Refund'; readonly refundOf: string };
  readonly replayed: boolean;
}

/** A partner gives a completed cash-in back, whole or in part. */
export class RefundCashIn extends Command<AcceptedRefund> {
  constructor(
    readonly caller: Principal,
    readonly cashInId: string,
    /** Centavos, above zero; `undefined`: what is left. */
    readonly amount: bigint | undefined,
    readonly reason: string | undefined,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
  ) {
    super();
  }
}
