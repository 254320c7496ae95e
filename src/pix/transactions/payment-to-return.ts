import type { RecordedEvent } from '../../event-store/index.js';
import type { PaymentToReturn } from '../commands/settle-payment-return/settle-payment-return.command.js';
import {
  CashInErrored,
  CashInPaymentReturned,
  type PaymentFacts,
  type SentOver,
  UnmatchedPaymentReceived,
} from '../domain/events/index.js';

/** What an event sends back to its payer, if it does. */
export function paymentToReturn(event: RecordedEvent): PaymentToReturn | undefined {
  if (CashInPaymentReturned.is(event) || CashInErrored.is(event)) {
    const { id, payment, returnId } = event.data;
    return payment && returnId ? toReturn(payment, returnId, id) : undefined;
  }
  if (UnmatchedPaymentReceived.is(event)) {
    const { payment, returnId } = event.data;
    return returnId ? toReturn(payment, returnId, null) : undefined;
  }
  return undefined;
}

/** The rail that is to send it back; earlier events do not say. */
export function returnedOver(event: RecordedEvent): SentOver | undefined {
  const isReturned = CashInPaymentReturned.is(event) || CashInErrored.is(event) || UnmatchedPaymentReceived.is(event);
  return isReturned ? event.data.sentOver : undefined;
}

function toReturn(
  { endToEndId, amount }: PaymentFacts,
  returnId: string,
  transactionId: string | null,
): PaymentToReturn {
  return { returnId, endToEndId, amount, transactionId };
}

/** The stream that the event is in. */
export function streamOfReturned({ transactionId, endToEndId }: PaymentToReturn): string {
  return transactionId === null ? `payment-${endToEndId}` : `cash-in-${transactionId}`;
}
