import { Command } from '@nestjs/cqrs';
import type { NotificationResult } from '../../rails/rail-notifications.js';
import type { LocatedTransaction } from '../../transactions/pix-transactions.js';

/** The rail says that an unpaid charge failed, or was returned before it was completed. */
export class EndCharge extends Command<NotificationResult> {
  constructor(
    readonly cashIn: LocatedTransaction,
    readonly state: 'Error' | 'Reversed',
    /** The rail's own word. */
    readonly reason: string,
  ) {
    super();
  }
}
