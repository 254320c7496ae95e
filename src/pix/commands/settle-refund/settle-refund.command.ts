import { Command } from '@nestjs/cqrs';
import type { RefundOutcome } from '../../rails/pix-rail.js';
import type { NotificationResult } from '../../rails/rail-notifications.js';
import type { LocatedTransaction } from '../../transactions/pix-transactions.js';
import { Homed } from '../../../platform/workers/index.js';

/** Records the rail's outcome of a partner's refund. */
@Homed<SettleRefund>(({ refund }) => refund.partition, 'always')
export class SettleRefund extends Command<NotificationResult> {
  constructor(
    readonly refund: LocatedTransaction,
    readonly outcome: RefundOutcome,
  ) {
    super();
  }
}
