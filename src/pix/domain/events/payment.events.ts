import { defineEvent, type Personal } from '../../../event-store/index.js';
import type { Party, PaymentFacts, SentOver } from './shared.js';

/** Unmatched payments. Streams are `payment-<identifier of the rail>`. */
export const UnmatchedPaymentReceived = defineEvent<{
  payment: PaymentFacts;
  payer: Personal<Party>;
  txid: string | null;
  /**
   * Set where the txid is one of ours that was never registered: the payment is returned. Else it is kept, with an
   * alert.
   */
  returnId?: string;
  /** The rail that is to return it, where it is returned; earlier events do not have it. */
  sentOver?: SentOver;
}>()(
  'UnmatchedPaymentReceived',
  'An unmatched payment: money came in for no deposit. It is kept, or returned to its payer.',
);

export const UnmatchedReturnReceived = defineEvent<{
  /** The payee's bank's identifier, `D…`. */
  returnId: string;
  /** The payment that it returns, by its sender. */
  endToEndId: string;
  amount: string;
  settledAt: string;
  code: string;
}>()(
  'UnmatchedReturnReceived',
  'An unmatched return: money came back for no completed payout. It is kept, with an alert.',
);

/** Streams are `return-<returnId>`. */
interface Return {
  /** Ours, `D…`. */
  returnId: string;
  /** The payment that was returned. */
  endToEndId: string;
  amount: string;
  /** The cash-in of the payment, if any. */
  transactionId: string | null;
  /** The partner of that cash-in; earlier events do not have it. */
  partnerUid?: string;
  settledAt: string;
}

export const PaymentReturnSettled = defineEvent<Return>()(
  'PaymentReturnSettled',
  'A payment that did not fit was returned to its payer.',
);

export const PaymentReturnRefused = defineEvent<Return & { code: string }>()(
  'PaymentReturnRefused',
  'The rail refused to return a payment: the money stays with the operator, who must resolve it.',
);
