import {
  describeEntries,
  describeTransaction,
  needsActive,
  type Posting,
  type Transaction,
  WITHOUT_ENTRIES,
} from '../../../accounts/index.js';
import {
  defineEvent,
  type EventOf,
  type Personal,
  type RecordedEvent,
  type Sealed,
} from '../../../event-store/index.js';
import type { RefundDetails } from '../details.js';
import { known, reached, withDetails } from './evolution.js';
import type { HeldReturnCode, Party, SentOver, WebhookTarget } from './shared.js';

/**
 * A refund is a transaction of its own, in both directions. Streams are `refund-<id>`.
 * - `Out`: a partner refunds a completed cash-in: `Registered` (held), then `Completed` or `Error`.
 * - `In`: the payee's bank returned money of a completed cash-out: `Registered` and `Completed` in one commit, and only
 *   the completion is notified.
 */
export const RefundRegistered = defineEvent<{
  id: string;
  partnerUid: string;
  accountUid: string;
  /** The cash-in or cash-out that it refunds. */
  refundOf: string;
  direction: 'Out' | 'In';
  /** Centavos. */
  amount: string;
  /** Identifier of the return, `D…`: ours going out, the payee's bank's coming in. */
  returnId: string;
  /** Going out: the rail that is to make it. Absent where the rail made it by itself, and in earlier events. */
  sentOver?: SentOver;
  originalEndToEndId: string;
  /** The partner's words. */
  reason?: Personal<string>;
  /** Where blocked money goes back: its hold, which moves the money, and the reason that the rail is given. */
  holdId?: string;
  code?: HeldReturnCode;
  /** The report that asks for it, of the special return mechanism (MED). */
  infractionId?: string;
  /** As in the parent. */
  orderId: string;
  orderDescription?: Sealed<string>;
  party?: Sealed<Party>;
  /** Absent where the parent's request named none. */
  webhook?: WebhookTarget;
  /** Going out: amount from `available` to `held`; none with a hold. Coming in: none yet. */
  postings: readonly Posting[];
}>()('RefundRegistered', 'A refund began: a part or all of a payment goes back the way it came.');
/** Where it moves money by itself: not from a hold, and not coming in. */
needsActive(RefundRegistered);

export const RefundCompleted = defineEvent<{
  id: string;
  partnerUid: string;
  refundOf: string;
  direction: 'Out' | 'In';
  amount: string;
  returnId: string;
  settledAt: string;
  receiptToken: string;
  /** Of a return of the MED. */
  infractionId?: string;
  postings: readonly Posting[];
}>()('RefundCompleted', 'The money of a refund arrived. Final.');

export const RefundErrored = defineEvent<{
  id: string;
  partnerUid: string;
  refundOf: string;
  amount: string;
  /** The rail's code. */
  reason: string;
  /** Of a return of the MED. */
  infractionId?: string;
  postings: readonly Posting[];
}>()('RefundErrored', 'The rail refused a refund: what was held for it went back to where it came from. Final.');

const entry = ({ id }: { id: string }) => ({ kind: 'Refund', transactionId: id });
describeEntries(RefundRegistered, entry);
describeEntries(RefundCompleted, entry);
describeEntries(RefundErrored, ({ id }) => ({ kind: 'RefundErrored', transactionId: id }));

const both = ({ id, refundOf }: { id: string; refundOf: string }) => [id, refundOf];

/** The parent counts its refunds, pending ones included. */
function counted(parent: Transaction | undefined, event: RecordedEvent, amount: bigint): Transaction {
  const before = known(parent, event);
  const refunded = BigInt((before.details as { refunded?: string } | null)?.refunded ?? '0');
  return withDetails(before, { refunded: (refunded + amount).toString() });
}

/** A refund going out is of the payment that paid its deposit. */
function assertOfDeposit(
  parent: Transaction | undefined,
  { id, direction, originalEndToEndId }: EventOf<typeof RefundRegistered>['data'],
): void {
  if (direction === 'Out' && parent?.endToEndId !== originalEndToEndId) {
    throw new TypeError(`the refund ${id} is of another payment than that of its deposit`);
  }
}

describeTransaction(
  RefundRegistered,
  both,
  (transaction, event, id) => {
    const { data, time, position, version } = event;
    if (id === data.refundOf) return counted(transaction, event, BigInt(data.amount));
    const { direction, sentOver, originalEndToEndId, reason, holdId, code, infractionId } = data;
    const { orderDescription, party, webhook } = data;
    const details: RefundDetails = {
      direction,
      ...(sentOver && { sentOver }),
      originalEndToEndId,
      ...(reason && { reason }),
      ...(holdId && { holdId, code }),
      ...(infractionId && { infractionId }),
      ...(orderDescription && { orderDescription }),
      ...(party && { party }),
      ...(webhook && { webhook }),
    };
    return {
      id: data.id,
      type: 'Refund',
      state: 'Registered',
      accountUid: data.accountUid,
      counterpartyUid: null,
      amount: BigInt(data.amount),
      charges: 0n,
      orderId: data.orderId,
      endToEndId: data.returnId,
      refundOf: data.refundOf,
      errorReason: null,
      stateDates: { Registered: time.toISOString() },
      details: { ...details },
      position,
      version,
      payer: null,
      ...WITHOUT_ENTRIES,
    };
  },
  (transaction, data, id) => id === data.refundOf && assertOfDeposit(transaction, data),
);

const itself = ({ id }: { id: string }) => [id];

describeTransaction(RefundCompleted, itself, (transaction, event) => {
  const { settledAt, receiptToken } = event.data;
  return withDetails(reached(transaction, event, 'Completed'), { settledAt, receiptToken });
});

describeTransaction(RefundErrored, both, (transaction, event, id) =>
  id === event.data.refundOf
    ? counted(transaction, event, -BigInt(event.data.amount))
    : reached(transaction, event, 'Error', { errorReason: event.data.reason }),
);
