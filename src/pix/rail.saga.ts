import type { PoolClient } from 'pg';
import { HoldDrawn, HoldExecuted, HoldPlaced, HoldReleased, HoldRestored } from '../accounts/index.js';
import { changeWork, dueAtOnce, type Follower, type NewWork, type RecordedEvent } from '../event-store/index.js';
import {
  CashInCancelled,
  CashInCompleted,
  CashInErrored,
  CashInPaymentReturned,
  CashInRegistered,
  CashInReversed,
  CashOutCompleted,
  CashOutErrored,
  CashOutKeyResolved,
  CashOutRegistered,
  CashOutReversed,
  PaymentReturnRefused,
  PaymentReturnSettled,
  RefundCompleted,
  RefundErrored,
  RefundRegistered,
  UnmatchedPaymentReceived,
} from './domain/events/index.js';
import { paymentToReturn } from './transactions/payment-to-return.js';
import { PIX_WORK } from './workers/pix-work.js';

const ENDINGS = [
  CashOutCompleted,
  CashOutErrored,
  CashOutReversed,
  CashInCompleted,
  CashInErrored,
  CashInReversed,
  CashInCancelled,
  RefundCompleted,
  RefundErrored,
];

/** Where they say that the hold has ended. */
const HOLD_ENDINGS = [HoldDrawn, HoldReleased, HoldExecuted];

/** A call of the rail follows from these; a timer's start and the end of work can wait for the next poll. */
const URGENT = [
  CashOutRegistered,
  CashOutKeyResolved,
  RefundRegistered,
  CashInPaymentReturned,
  CashInErrored,
  UnmatchedPaymentReceived,
];

/** Work that goes on until a transaction has ended. */
const UNTIL_THE_END = [PIX_WORK.resolveKey, PIX_WORK.sendPayment, PIX_WORK.expireCashIn, PIX_WORK.sendRefund];

const HANDLED = [...URGENT, ...ENDINGS, CashInRegistered, HoldPlaced, HoldRestored].map(({ type }) => type);

/**
 * Turns events into intentions: calls of the rail, and timers of cash-ins and holds that expire. It makes no calls
 * itself.
 */
export const railSaga: Follower = {
  name: 'pix-rail',
  handles: new Set(HANDLED),
  urgent: new Set(URGENT.map(({ type }) => type)),

  intends: {
    kinds: new Map([
      [PIX_WORK.resolveKey, 'subject'],
      [PIX_WORK.sendPayment, 'id'],
      [PIX_WORK.expireCashIn, 'id'],
      [PIX_WORK.sendRefund, 'id'],
      [PIX_WORK.expireHold, 'id'],
      [PIX_WORK.returnPayment, 'id'],
    ]),
    namedNoOwner: new Set([
      PIX_WORK.resolveKey,
      PIX_WORK.sendPayment,
      PIX_WORK.expireCashIn,
      PIX_WORK.sendRefund,
      PIX_WORK.returnPayment,
    ]),
    types: new Set([
      ...HANDLED,
      ...[...HOLD_ENDINGS, PaymentReturnSettled, PaymentReturnRefused].map(({ type }) => type),
    ]),
    begunBy: (event) => workOf(event, event.time),
    endedBy: (event) => [
      ...holdEndedBy(event).map((id) => `${id}/${PIX_WORK.expireHold}`),
      ...endedBy(event).flatMap((id) => UNTIL_THE_END.map((kind) => `${id}/${kind}`)),
      ...(CashOutKeyResolved.is(event) ? [`${event.data.id}/${PIX_WORK.resolveKey}`] : []),
      ...(PaymentReturnSettled.is(event) || PaymentReturnRefused.is(event)
        ? [`${event.metadata.causation}/${PIX_WORK.returnPayment}`]
        : []),
    ],
  },

  async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<string[]> {
    const now = new Date();
    const begun = events.flatMap((event) => workOf(event, now));
    return changeWork(client, partition, begun, events.flatMap(endedBy));
  },
};

/**
 * The row of its timer stays until its time: a refund from the hold may still be refused, and then the hold is open
 * again. At its time the row does nothing for a hold that has ended.
 */
function holdEndedBy(event: RecordedEvent): string[] {
  if (!HOLD_ENDINGS.some((type) => type.is(event))) return [];
  const { holdId, closed } = event.data as { holdId: string; closed: boolean };
  return closed ? [holdId] : [];
}

function endedBy(event: RecordedEvent): string[] {
  return ENDINGS.some((type) => type.is(event)) ? [(event.data as { id: string }).id] : [];
}

function workOf(event: RecordedEvent, now: Date): NewWork[] {
  const dueAt = dueAtOnce(event, now);
  if (CashOutRegistered.is(event)) {
    const { id, partnerUid, method, sentAs } = event.data;
    // A rail that names payments checks the key while it pays.
    const first =
      sentAs || method === 'Account' ? { id, kind: PIX_WORK.sendPayment } : { id: event.id, kind: PIX_WORK.resolveKey };
    return [{ ...first, subject: id, payload: { partnerUid }, dueAt }];
  }
  if (CashOutKeyResolved.is(event)) {
    const { id, partnerUid } = event.data;
    const payload = partnerUid ? { partnerUid } : null;
    return [{ id, kind: PIX_WORK.sendPayment, subject: id, payload, dueAt }];
  }
  if (CashInRegistered.is(event)) {
    const { id, partnerUid, expiresAt } = event.data;
    return [{ id, kind: PIX_WORK.expireCashIn, subject: id, payload: { partnerUid }, dueAt: new Date(expiresAt) }];
  }
  if (HoldPlaced.is(event)) {
    const { id, expiresAt } = event.data;
    if (expiresAt === undefined) return [];
    return [{ id, kind: PIX_WORK.expireHold, subject: id, payload: null, dueAt: new Date(expiresAt) }];
  }
  // Its timer may have found it ended, by a clock that was ahead.
  if (HoldRestored.is(event)) {
    const { holdId: id, hold } = event.data;
    if (hold.expiresAt === undefined) return [];
    return [{ id, kind: PIX_WORK.expireHold, subject: id, payload: null, dueAt: new Date(hold.expiresAt) }];
  }
  if (RefundRegistered.is(event) && event.data.direction === 'Out') {
    const { id, partnerUid } = event.data;
    return [{ id, kind: PIX_WORK.sendRefund, subject: id, payload: { partnerUid }, dueAt }];
  }
  const payment = paymentToReturn(event);
  if (!payment) return [];
  const { partnerUid } = event.data as { readonly partnerUid?: string };
  const payload = { ...payment, ...(partnerUid && { partnerUid }) };
  return [{ id: event.id, kind: PIX_WORK.returnPayment, subject: payment.transactionId ?? event.id, payload, dueAt }];
}
