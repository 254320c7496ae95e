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
