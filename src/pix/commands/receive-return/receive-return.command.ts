import { Command } from '@nestjs/cqrs';
import type { ReturnedMoney } from '../../rails/pix-rail.js';
import type { NotificationResult } from '../../rails/rail-notifications.js';
import type { LocatedTransaction } from '../../transactions/pix-transactions.js';

/** The payee's bank returned money of a completed cash-out. */
export class ReceiveReturn extends Command<NotificationResult> {
  constructor(
    readonly returned: ReturnedMoney,
    /** The cash-out; `undefined` where the return names none of ours. */
    readonly cashOut: LocatedTransaction | undefined,
  ) {
    super();
  }
}
