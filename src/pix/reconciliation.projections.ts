import { type InlineProjection, type RecordedEvent, Table } from '../event-store/index.js';
import {
  DayReconciled,
  ReconciliationCaseClosed,
  ReconciliationCaseOpened,
} from './domain/events/reconciliation.events.js';
import type { ReconciledDay, ReconciliationCase } from './domain/reconciliation.js';

export const dayTable = new Table<ReconciledDay>({
  table: 'reconciled_day',
  columns: { day: 'text', mismatched: 'int', balance: 'jsonb', before: 'jsonb' },
  seldom: true,
});

/** The days that were compared. */
export const reconciledDayProjection: InlineProjection<ReconciledDay> = {
  name: 'reconciledDays',
  keysOf: (event) => (DayReconciled.is(event) ? [event.data.day] : []),
  evolve: (_day, event) => dayOf(event),
  ...dayTable.inline(),
};

export const caseTable = new Table<ReconciliationCase>({
  table: 'reconciliation_case',
  columns: {
    id: 'uuid',
    day: 'text',
    kind: 'text',
    reference: 'text',
    transactionId: 'uuid',
    rail: 'bigint',
    ledger: 'bigint',
    status: 'text',
    openedAt: 'timestamptz',
    closedAt: 'timestamptz',
    closedBy: 'text',
    note: 'text',
  },
  changes: ['status', 'closedAt', 'closedBy', 'note'],
  seldom: true,
});

/** Reconciliation cases. */
export const reconciliationCaseProjection: InlineProjection<ReconciliationCase> = {
  name: 'reconciliationCases',
  keysOf: (event) => (ReconciliationCaseOpened.is(event) || ReconciliationCaseClosed.is(event) ? [event.data.id] : []),
  evolve: caseOf,
  ...caseTable.inline(),
};

function dayOf(event: RecordedEvent): ReconciledDay {
  if (!DayReconciled.is(event)) throw new TypeError(`${event.type} reconciles no day`);
  const { balance = null, before = null, ...data } = event.data;
  return { ...data, balance, before };
}

function caseOf(one: ReconciliationCase | undefined, event: RecordedEvent): ReconciliationCase {
  if (ReconciliationCaseOpened.is(event)) {
    const { rail, ledger, ...data } = event.data;
    return {
      ...data,
      rail: rail === null ? null : BigInt(rail),
      ledger: ledger === null ? null : BigInt(ledger),
      ...{ status: 'Open', openedAt: event.time, closedAt: null, closedBy: null, note: null },
    };
  }
  if (!one || !ReconciliationCaseClosed.is(event))
    throw new TypeError(`${event.type} is about a case that was never opened`);
  const { note } = event.data;
  return { ...one, status: 'Closed', closedAt: event.time, closedBy: event.metadata.actor, note };
}
