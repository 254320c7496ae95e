import { Command } from '@nestjs/cqrs';
import type { LocatedTransaction } from '../../transactions/pix-transactions.js';

/** The time of a cash-in is over, and its charge is closed at the rail. */
export class ExpireCashIn extends Command<void> {
  constructor(readonly cashIn: LocatedTransaction) {
    super();
  }
}
