import { Command } from '@nestjs/cqrs';
import type { RefundOutcome } from '../../rails/pix-rail.js';
import type { PaymentToReturn } from '../../workers/pix-work.js';

/** A payment that did not fit has gone back, or the rail refused to give it back. */
export class SettlePaymentReturn extends Command<void> {
  constructor(
    readonly partition: number,
    /** The event that took the payment in. */
    readonly causation: string,
    readonly payment: PaymentToReturn,
    readonly outcome: Extract<RefundOutcome, { readonly status: 'Settled' | 'Rejected' }>,
  ) {
    super();
  }
}
