import { type Transaction, transactionProjection } from '../../accounts/index.js';
import type { RecordedEvent } from '../../event-store/index.js';

/** A transaction's row of the search. Amounts are centavos. */
export interface SearchRow {
  readonly id: string;
  readonly partnerUid: string;
  readonly type: string;
  readonly state: string;
  readonly amount: bigint;
  readonly orderId: string | null;
  readonly refundOf: string | null;
  readonly registeredAt: Date;
  /** Position of its first event. */
  readonly position: bigint;
  /** Version of its stream, number of the events that made it what it is, and position of the last of them. */
  readonly version: number;
  readonly changes: number;
  readonly changedPosition: bigint;
}

/** What one event tells the search of one transaction. */
export interface Change {
  readonly id: string;
  readonly version: number;
  readonly position: bigint;
  readonly time: Date;
  /** The whole row, where the event made the transaction. */
  readonly created?: SearchRow;
  /** The state that it came to, if any. */
  readonly state?: string;
  /** Data subjects on the other side that are named here. */
  readonly subjects: readonly string[];
}

/** Members of a transaction's details that name the other side, sealed; words of the partner's own are not of them. */
const PARTIES = ['expectedPayer', 'recipient', 'payer', 'payee', 'party'] as const;

const SAME = 'the state before' as Transaction['state'];

/** A transaction of which nothing is known: what an event makes of it is what the event says. */
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
};

/**
 * What an event changes of transactions as they are searched for, from the event alone: the modules' own descriptions
 * are asked, so a new type of event needs nothing here. A stream belongs to one transaction and bears its identifier;
 * what an event tells of another one (a refund of its parent) changes nothing that is searched for.
 */
export function changesOf(event: RecordedEvent): readonly Change[] {
  const id = transactionProjection.keysOf(event).find((one) => event.stream.endsWith(one));
  if (id === undefined) return [];
  const isNew = event.version === 1;
  const after = transactionProjection.evolve(isNew ? undefined : UNKNOWN, event, id);
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
  const first = { position, version, changes: 1, changedPosition: position };
  return { id, partnerUid, type, state, amount, orderId, refundOf, registeredAt, ...first };
}

function subjectsIn({ details }: Transaction): string[] {
  if (!details) return [];
  const named = PARTIES.map((party) => (details[party] as { subject?: string } | undefined)?.subject);
  return [...new Set(named.filter((subject) => subject !== undefined))];
}
