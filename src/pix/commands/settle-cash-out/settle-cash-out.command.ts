import { Command } from '@nestjs/cqrs';
import type { PaymentOutcome } from '../../rails/pix-rail.js';
import type { NotificationResult } from '../../rails/rail-notifications.js';
import type { LocatedTransaction } from '../../transactions/pix-transactions.js';
import { Homed } from '../../../platform/workers/index.js';

/** Records the rail's outcome of a cash-out. */
@Homed<SettleCashOut>(({ cashOut }) => cashOut.partition, 'always')
export class SettleCashOut extends Command<NotificationResult> {
  constructor(
    readonly cashOut: LocatedTransaction,
    readonly outcome: PaymentOutcome,
  ) {
    super();
  }
}
