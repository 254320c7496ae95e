import { Command } from '@nestjs/cqrs';
import type { RefundOutcome } from '../../rails/pix-rail.js';

/** A payment that did not fit, on its way back. */
export interface PaymentToReturn {
  /** Ours, `D…`. */
  readonly returnId: string;
  readonly endToEndId: string;
  /** Centavos in decimal text. */
  readonly amount: string;
  readonly transactionId: string | null;
}

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
