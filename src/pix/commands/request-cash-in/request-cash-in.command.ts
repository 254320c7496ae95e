import { Command } from '@nestjs/cqrs';
import type { TransactionSummary } from '../../../accounts/index.js';
import type { Principal } from '../../../auth/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import type { RequestedCashIn } from './cash-in.body.js';

/** What was accepted: as it stood then, on a replay too. */
export interface AcceptedCashIn {
  readonly transaction: TransactionSummary;
  readonly payment: { readonly qrCode: string; readonly qrCodeLocation: string };
  readonly replayed: boolean;
}

export class RequestCashIn extends Command<AcceptedCashIn> {
  constructor(
    readonly caller: Principal,
    readonly cashIn: RequestedCashIn,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
  ) {
    super();
  }
}
