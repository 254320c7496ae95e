import {
  describeEntries,
  describeTransaction,
  type Posting,
  type StoredTerms,
  describeWaiting,
  needsActive,
  type Transaction,
  type TransactionState,
  WITHOUT_ENTRIES,
} from '../../accounts/index.js';
import { defineEvent, type EventOf, type Personal, type RecordedEvent, type Sealed } from '../../event-store/index.js';

export const TransferSettled = defineEvent<{
  id: string;
  partnerUid: string;
  sourceUid: string;
  destinationUid: string;
  /** Centavos in decimal text. */
  amount: string;
  description?: Personal<string> | Sealed<string>;
  postings: readonly Posting[];
  /** Of schema version 1: its statement entries have rows of their own, and are not in the transaction's. */
  entriesApart?: true;
}>()('TransferSettled', 'Money moved between two accounts of one partner, at once and for good.', {
  schemaVersion: 2,
  upcasters: { 1: (data: object) => ({ ...data, entriesApart: true }) },
});

export const TransferScheduled = defineEvent<{
  id: string;
  partnerUid: string;
  sourceUid: string;
  destinationUid: string;
  /** Centavos in decimal text. */
  amount: string;
  description?: Personal<string> | Sealed<string>;
  schedule: StoredTerms;
}>()('TransferScheduled', 'A transfer is to be made at a later time. Nothing is held for it.');

export const TransferRefused = defineEvent<{
  id: string;
  partnerUid: string;
  sourceUid: string;
  destinationUid: string;
  amount: string;
  /** Of the error that the transfer was refused with. */
  reason: string;
}>()('TransferRefused', 'The time of a scheduled transfer came, and it could not be made. Final.');

export const TransferCancelled = defineEvent<{
  id: string;
  partnerUid: string;
  timerId: string;
}>()('TransferCancelled', 'A scheduled transfer was cancelled before its time. Final.');

/** Both accounts, when the money moves: of a scheduled one too. */
needsActive(TransferSettled);

const itself = ({ id }: { readonly id: string }) => [id];

/** A transfer that was made at once has its entries in its own row (docs/adr/0038). */
const keepsItsEntries = ({ version, data }: EventOf<typeof TransferSettled>) => version === 1 && !data.entriesApart;

describeEntries(
  TransferSettled,
  ({ id, description }) => ({ kind: 'Transfer', transactionId: id, description }),
  keepsItsEntries,
);

describeTransaction(
  TransferSettled,
  itself,
  (scheduled, event) => (event.version > 1 ? ended(scheduled, event, 'Completed') : settled(scheduled, event)),
  (scheduled, made) => scheduled && assertAsScheduled(scheduled, made),
);

describeTransaction(TransferScheduled, itself, (_none, event) =>
  begun(event, 'Scheduled', { ...descriptionOf(event.data), schedule: event.data.schedule }),
);
describeTransaction(TransferRefused, itself, (scheduled, event) => ({
  ...ended(scheduled, event, 'Error'),
  errorReason: event.data.reason,
}));
describeTransaction(TransferCancelled, itself, (scheduled, event) => ended(scheduled, event, 'Cancelled'));

describeWaiting(
  TransferScheduled,
  ({ id, sourceUid, destinationUid }) => ({ id, accountUid: sourceUid, counterpartyUid: destinationUid }),
  [TransferSettled, TransferRefused, TransferCancelled],
);

/** A scheduled transfer is made as its first event says. */
function assertAsScheduled(scheduled: Transaction, made: Begun): void {
  const isSame =
    made.amount === scheduled.amount.toString() &&
    made.sourceUid === scheduled.accountUid &&
    made.destinationUid === scheduled.counterpartyUid;
  if (!isSame) throw new TypeError(`the transfer ${made.id} was made otherwise than it was scheduled`);
}

/** The log's index of streams has no transfers made at once: that each is there once is asked here. */
function settled(before: Transaction | undefined, event: EventOf<typeof TransferSettled>): Transaction {
  if (before) throw new TypeError(`transfer ${event.data.id} is settled already`);
  const entries = keepsItsEntries(event) ? entriesOf(event.data) : WITHOUT_ENTRIES;
  return begun(event, 'Completed', descriptionOf(event.data), entries);
}

function entriesOf({ sourceUid, destinationUid, postings }: EventOf<typeof TransferSettled>['data']): OwnEntries {
  const source = postings.find(({ account }) => account === sourceUid);
  const destination = postings.find(({ account }) => account === destinationUid);
  if (!source || !destination || postings.length > 2) throw new TypeError('a transfer has one posting on each account');
  return {
    entry: source.entry,
    balance: BigInt(source.balance),
    counterpartyEntry: destination.entry,
    counterpartyBalance: BigInt(destination.balance),
  };
}

type OwnEntries = Pick<Transaction, keyof typeof WITHOUT_ENTRIES>;

interface Begun {
  readonly id: string;
  readonly sourceUid: string;
  readonly destinationUid: string;
  readonly amount: string;
}

function begun(
  { data, time, position, version }: RecordedEvent<string, Begun>,
  state: TransactionState,
  details: Transaction['details'],
  entries: OwnEntries = WITHOUT_ENTRIES,
): Transaction {
  return {
    id: data.id,
    type: 'Transfer',
    state,
    accountUid: data.sourceUid,
    counterpartyUid: data.destinationUid,
    amount: BigInt(data.amount),
    charges: 0n,
    orderId: null,
    endToEndId: null,
    refundOf: null,
    errorReason: null,
    stateDates: { [state]: time.toISOString() },
    details,
    position,
    version,
    payer: null,
    ...entries,
  };
}

function ended(scheduled: Transaction | undefined, event: RecordedEvent, state: TransactionState): Transaction {
  if (!scheduled) throw new TypeError(`${event.type} is about a transfer that was never scheduled`);
  const stateDates = { ...scheduled.stateDates, [state]: event.time.toISOString() };
  return { ...scheduled, state, stateDates, version: event.version };
}

function descriptionOf({ description }: { readonly description?: Sealed<string> }): Transaction['details'] {
  return description ? { orderDescription: description } : null;
}
