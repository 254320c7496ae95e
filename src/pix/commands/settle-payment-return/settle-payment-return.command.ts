import { Command } from '@nestjs/cqrs';
import type { RefundOutcome } from '../../rails/pix-rail.js';
import type { PaymentToReturn } from '../../workers/pix-work.js';

/** The return of a payment that did not fit is settled, or the rail refused it. */
export class SettlePaymentReturn extends Command<void> {
  constructor(
    readonly partition: number,
    /** Id of the event that recorded the payment. */
    readonly causation: string,
    readonly payment: PaymentToReturn,
    readonly outcome: Extract<RefundOutcome, { readonly status: 'Settled' | 'Rejected' }>,
  ) {
    super();
  }
}
