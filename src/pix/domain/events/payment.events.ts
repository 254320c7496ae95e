import { defineEvent, type Personal } from '../../../event-store/index.js';
import type { Party, PaymentFacts } from './shared.js';

/** Money that came in and belongs to no transaction. Streams are `payment-<identifier of the rail>`. */
export const UnmatchedPaymentReceived = defineEvent<{
  payment: PaymentFacts;
  payer: Personal<Party>;
  txid: string | null;
  /** Set where the txid is one of ours that was never registered: the payment goes back. Else it is kept and alarmed. */
  returnId?: string;
}>()(
  'UnmatchedPaymentReceived',
  'A payment came in that belongs to no deposit. It is kept, or goes back to its payer.',
);

export const UnmatchedReturnReceived = defineEvent<{
  /** The payee's bank's identifier, `D…`. */
  returnId: string;
  /** The payment that it says it gives back. */
  endToEndId: string;
  amount: string;
  settledAt: string;
  code: string;
}>()('UnmatchedReturnReceived', 'Money was sent back that belongs to no completed payout. It is kept and alarmed.');

/** Streams are `return-<returnId>`. */
interface Return {
  /** Ours, `D…`. */
  returnId: string;
  /** The payment that went back. */
  endToEndId: string;
  amount: string;
  /** The cash-in that it was meant for, if any. */
  transactionId: string | null;
  /** Whose that cash-in is; earlier events do not say it. */
  partnerUid?: string;
  settledAt: string;
}

export const PaymentReturnSettled = defineEvent<Return>()(
  'PaymentReturnSettled',
  'A payment that did not fit is back with its payer.',
);

export const PaymentReturnRefused = defineEvent<Return & { code: string }>()(
  'PaymentReturnRefused',
  "The rail refused to give a payment back: its money stays with the operator and needs a person's hand.",
);
