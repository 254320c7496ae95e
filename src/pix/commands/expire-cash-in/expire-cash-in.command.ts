import { Command } from '@nestjs/cqrs';
import type { LocatedTransaction } from '../../transactions/pix-transactions.js';

/** A cash-in has expired, and its charge is closed at the rail. */
export class ExpireCashIn extends Command<void> {
  constructor(readonly cashIn: LocatedTransaction) {
    super();
  }
}
