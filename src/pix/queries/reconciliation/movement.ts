import type { RecordedEvent } from '../../../event-store/index.js';
import {
  CashInCompleted,
  CashInErrored,
  CashInPaymentReturned,
  CashOutCompleted,
  type PaymentFacts,
  PaymentReturnSettled,
  RefundCompleted,
  UnmatchedPaymentReceived,
  UnmatchedReturnReceived,
} from '../../domain/events/index.js';
import type { RailMovement } from '../../rails/pix-rail.js';

/** A movement of money at the rail, by the ledger. */
export interface Movement extends RailMovement {
  readonly transactionId: string | null;
  readonly position: bigint;
}

/** Types of the events that have a movement. */
export const MOVEMENT_TYPES: ReadonlySet<string> = new Set(
  [
    CashInCompleted,
    CashInPaymentReturned,
    CashInErrored,
    UnmatchedPaymentReceived,
    CashOutCompleted,
    RefundCompleted,
    PaymentReturnSettled,
    UnmatchedReturnReceived,
  ].map(({ type }) => type),
);

/** The movement at the rail of an event, if any. */
export function movementOf(event: RecordedEvent): Movement | undefined {
  const { position } = event;
  if (CashInCompleted.is(event) || CashInPaymentReturned.is(event)) {
    return { ...paymentIn(event.data.payment), transactionId: event.data.id, position };
  }
  if (CashInErrored.is(event)) {
    const { id, payment } = event.data;
    return payment && { ...paymentIn(payment), transactionId: id, position };
  }
  if (UnmatchedPaymentReceived.is(event)) {
    return { ...paymentIn(event.data.payment), transactionId: null, position };
  }
  if (CashOutCompleted.is(event)) {
    const { id, endToEndId, amount, settledAt } = event.data;
    return { ...moved('PaymentOut', endToEndId, amount, settledAt), transactionId: id, position };
  }
  if (RefundCompleted.is(event)) {
    const { id, direction, returnId, amount, settledAt } = event.data;
    const kind = direction === 'Out' ? 'RefundOut' : 'RefundIn';
    return { ...moved(kind, returnId, amount, settledAt), transactionId: id, position };
  }
  if (PaymentReturnSettled.is(event)) {
    const { returnId, amount, settledAt, transactionId } = event.data;
    return { ...moved('RefundOut', returnId, amount, settledAt), transactionId, position };
  }
  if (UnmatchedReturnReceived.is(event)) {
    const { returnId, amount, settledAt } = event.data;
    return { ...moved('RefundIn', returnId, amount, settledAt), transactionId: null, position };
  }
  return undefined;
}

function paymentIn({ endToEndId, amount, settledAt }: PaymentFacts): RailMovement {
  return moved('PaymentIn', endToEndId, amount, settledAt);
}

function moved(kind: RailMovement['kind'], id: string, amount: string, settledAt: string): RailMovement {
  return { kind, id, amount: BigInt(amount), at: new Date(settledAt) };
}
