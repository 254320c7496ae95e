import { Command } from '@nestjs/cqrs';
import type { Transaction } from '../../../accounts/index.js';
import type { Principal } from '../../../auth/index.js';

/** The partner cancels a scheduled payout of the account of the context. */
export class CancelCashOut extends Command<void> {
  constructor(
    readonly caller: Principal,
    readonly cashOut: Transaction,
    readonly requestId: string,
  ) {
    super();
  }
}
