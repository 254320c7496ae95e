import { Command } from '@nestjs/cqrs';
import type { NotificationResult } from '../../rails/rail-notifications.js';
import type { LocatedTransaction } from '../../transactions/pix-transactions.js';
import { Homed } from '../../../platform/workers/index.js';

/** The payment of a charge failed, or was returned before completion. */
@Homed<EndCharge>(({ cashIn }) => cashIn.partition, 'always')
export class EndCharge extends Command<NotificationResult> {
  constructor(
    readonly cashIn: LocatedTransaction,
    readonly state: 'Error' | 'Reversed',
    /** The rail's code. */
    readonly reason: string,
  ) {
    super();
  }
}
