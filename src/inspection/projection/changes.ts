import {
  COMPLETE_AT_ONCE,
  evolvePartly,
  scheduleOf,
  type Transaction,
  WITHOUT_ENTRIES,
  transactionProjection,
} from '../../accounts/index.js';
import type { RecordedEvent } from '../../event-store/index.js';

/** A transaction's row in the search index. Amounts are centavos. */
export interface SearchRow {
  readonly id: string;
  readonly partnerUid: string;
  readonly type: string;
  readonly state: string;
  readonly amount: bigint;
  readonly orderId: string | null;
  readonly refundOf: string | null;
  readonly registeredAt: Date;
  /** Of one that waits, or waited, for its time. */
  readonly scheduledFor: Date | null;
  /** Position of its first event. */
  readonly position: bigint;
  /** Version of its stream, number of its events so far, and position of the last of them. */
  readonly version: number;
  readonly changes: number;
  readonly changedPosition: bigint;
}

/** The change of one transaction in the search index by one event. */
export interface Change {
  readonly id: string;
  readonly version: number;
  readonly position: bigint;
  readonly time: Date;
  /** The whole row, if the event created the transaction. */
  readonly created?: SearchRow;
  /** The new state, if any. */
  readonly state?: string;
  /** Data subjects named as the counterparty. */
  readonly subjects: readonly string[];
}

/** Whether a transaction is a transfer made at once: it never changes, and has no row in the search (docs/adr/0030). */
export function isAtOnce({ type, state, version }: Pick<SearchRow, 'type' | 'state' | 'version'>): boolean {
  return (
    type === COMPLETE_AT_ONCE.type && state === COMPLETE_AT_ONCE.state && String(version) === COMPLETE_AT_ONCE.version
  );
}

/** SQL: the same, of the columns of a table. */
export const AT_ONCE = `type = 'Transfer' and state = 'Completed' and version = 1`;

/**
 * Sealed members of a transaction's details that name the counterparty: those of the rail before those of the request.
 */
export const PARTIES = ['payer', 'payee', 'party', 'recipient', 'expectedPayer'] as const;

const SAME = 'the state before' as Transaction['state'];

/** A placeholder: after `evolve` it shows exactly what the event changes. */
const UNKNOWN: Transaction = {
  id: '',
  type: 'Transfer',
  state: SAME,
  accountUid: '',
  counterpartyUid: null,
  amount: 0n,
  charges: 0n,
  orderId: null,
  endToEndId: null,
  refundOf: null,
  errorReason: null,
  stateDates: {},
  details: null,
  position: 0n,
  version: 0,
  payer: null,
  ...WITHOUT_ENTRIES,
};

/**
 * The changes of an event to the search index, from the event alone. They come from the modules' own descriptions, so a
 * new event type needs no code here. A stream belongs to one transaction and has its identifier; what an event changes
 * of another one (a refund, of its parent) is not indexed.
 */
export function changesOf(event: RecordedEvent): readonly Change[] {
  const id = transactionProjection.keysOf(event).find((one) => event.stream.endsWith(one));
  if (id === undefined) return [];
  const isNew = event.version === 1;
  const after = evolvePartly(isNew ? undefined : UNKNOWN, event, id);
  const { version, position, time } = event;
  return [
    {
      id,
      version,
      position,
      time,
      ...(isNew && { created: toRow(after, event) }),
      ...(after.state !== SAME && { state: after.state }),
      subjects: subjectsIn(after),
    },
  ];
}

function toRow(transaction: Transaction, event: RecordedEvent): SearchRow {
  const { id, type, state, amount, orderId, refundOf } = transaction;
  const { partnerUid } = event.data as { partnerUid: string };
  const { time: registeredAt, position, version } = event;
  const schedule = scheduleOf(transaction);
  const scheduledFor = schedule ? new Date(schedule.scheduledFor) : null;
  const first = { position, version, changes: 1, changedPosition: position };
  return { id, partnerUid, type, state, amount, orderId, refundOf, registeredAt, scheduledFor, ...first };
}

/** Data subjects that a transaction names as its counterparty. */
export function subjectsIn({ details }: Pick<Transaction, 'details'>): string[] {
  if (!details) return [];
  const named = PARTIES.map((party) => (details[party] as { subject?: string } | undefined)?.subject);
  return [...new Set(named.filter((subject) => subject !== undefined))];
}
