import { type EventType, type InlineProjection, type RecordedEvent, Table } from '../../event-store/index.js';

/** A transaction that waits for its time, or waited. */
export interface ScheduledTransaction {
  readonly id: string;
  readonly accountUid: string;
  /** The other account of a transfer. */
  readonly counterpartyUid: string | null;
  readonly waits: boolean;
  readonly position: bigint;
}

type Begun = Pick<ScheduledTransaction, 'id' | 'accountUid' | 'counterpartyUid'>;

const beginnings = new Map<string, (data: never) => Begun>();
const endings = new Set<string>();

/** Declares which events have a transaction wait, and which end that: later events of its stream. */
export function describeWaiting<D>(
  begins: EventType<string, D>,
  begun: (data: D) => Begun,
  ends: readonly { readonly type: string }[],
): void {
  beginnings.set(begins.type, begun);
  for (const { type } of ends) endings.add(type);
}

const table = new Table<ScheduledTransaction>({
  table: 'scheduled_transaction',
  columns: { id: 'uuid', accountUid: 'uuid', counterpartyUid: 'uuid', waits: 'boolean', position: 'bigint' },
  changes: ['waits'],
});

/**
 * What waits, apart from the transactions: an index of those by their state would make each change of a payment's state
 * write every index.
 */
export const scheduledProjection: InlineProjection<ScheduledTransaction> = {
  name: 'scheduledTransactions',
  // A transfer or payout that was never scheduled begins its stream with the event that ends a wait.
  keysOf: (event) =>
    beginnings.has(event.type) || (event.version > 1 && endings.has(event.type))
      ? [(event.data as { id: string }).id]
      : [],
  evolve: (row, event: RecordedEvent) => {
    const begun = beginnings.get(event.type);
    if (begun) return { ...begun(event.data as never), waits: true, position: event.position };
    if (!row) throw new TypeError(`${event.type} ends a wait that never began`);
    return { ...row, waits: false };
  },
  ...table.inline(),
};
