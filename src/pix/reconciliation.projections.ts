import type { QueryResultRow } from 'pg';
import type { InlineProjection, RecordedEvent } from '../event-store/index.js';
import {
  type BalanceRead,
  type CaseKind,
  DayReconciled,
  ReconciliationCaseClosed,
  ReconciliationCaseOpened,
} from './domain/events/reconciliation.events.js';

/** A day that was compared. */
export interface ReconciledDay {
  readonly day: string;
  readonly mismatched: number;
  readonly balance: BalanceRead | null;
  readonly before: BalanceRead | null;
}

/** A difference that somebody has to look at, or has looked at. */
export interface ReconciliationCase {
  readonly id: string;
  readonly day: string;
  readonly kind: CaseKind;
  readonly reference: string;
  readonly transactionId: string | null;
  /** Centavos. */
  readonly rail: bigint | null;
  readonly ledger: bigint | null;
  readonly status: 'Open' | 'Closed';
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  /** `operator:<name>`. */
  readonly closedBy: string | null;
  readonly note: string | null;
}

const DAY_COLUMNS = 'day, mismatched, balance, before';

/** The days that were compared. One row a night: one statement each is plain enough. */
export const reconciledDayProjection: InlineProjection<ReconciledDay> = {
  name: 'reconciledDays',
  keysOf: (event) => (DayReconciled.is(event) ? [event.data.day] : []),
  evolve: (_day, event) => dayOf(event),
  keyOf: ({ day }) => day,
  parse: (row) => ({
    day: row.day as string,
    mismatched: row.mismatched as number,
    balance: row.balance as BalanceRead | null,
    before: row.before as BalanceRead | null,
  }),

  load: (partition, keys) => ({
    name: 'reconciled-day-load',
    text: `select ${DAY_COLUMNS} from reconciled_day where partition = $1 and day = any($2::text[])`,
    values: [partition, keys],
  }),

  scan: (partition, afterKey, limit) => ({
    name: 'reconciled-day-scan',
    text: `select ${DAY_COLUMNS} from reconciled_day where partition = $1 and day > $2 order by day limit $3`,
    values: [partition, afterKey ?? '', limit],
  }),

  remove: (partition, keys) => [
    {
      name: 'reconciled-day-remove',
      text: 'delete from reconciled_day where partition = $1 and day = any($2::text[])',
      values: [partition, keys],
    },
  ],

  save: (partition, { inserted, updated }) =>
    [...inserted, ...updated].map(({ day, mismatched, balance, before }) => ({
      name: 'reconciled-day-save',
      text: `
        insert into reconciled_day (partition, ${DAY_COLUMNS}) values ($1, $2, $3, $4, $5)
        on conflict (partition, day) do update
        set mismatched = excluded.mismatched, balance = excluded.balance, before = excluded.before`,
      values: [partition, day, mismatched, jsonOf(balance), jsonOf(before)],
    })),
};

const CASE_COLUMNS = `
  id, day, kind, reference, transaction_id, rail, ledger, status, opened_at, closed_at, closed_by, note`;

/** The cases. Few of them: one statement each is plain enough. */
export const reconciliationCaseProjection: InlineProjection<ReconciliationCase> = {
  name: 'reconciliationCases',
  keysOf: (event) => (ReconciliationCaseOpened.is(event) || ReconciliationCaseClosed.is(event) ? [event.data.id] : []),
  evolve: caseOf,
  keyOf: ({ id }) => id,
  parse: parseCase,

  load: (partition, keys) => ({
    name: 'reconciliation-case-load',
    text: `select ${CASE_COLUMNS} from reconciliation_case where partition = $1 and id = any($2::uuid[])`,
    values: [partition, keys],
  }),

  scan: (partition, afterKey, limit) => ({
    name: 'reconciliation-case-scan',
    text: `
      select ${CASE_COLUMNS} from reconciliation_case
      where partition = $1 and id > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
      order by id limit $3`,
    values: [partition, afterKey, limit],
  }),

  remove: (partition, keys) => [
    {
      name: 'reconciliation-case-remove',
      text: 'delete from reconciliation_case where partition = $1 and id = any($2::uuid[])',
      values: [partition, keys],
    },
  ],

  save: (partition, { inserted, updated }) =>
    [...inserted, ...updated].map((one) => ({
      name: 'reconciliation-case-save',
      text: `
        insert into reconciliation_case (partition, ${CASE_COLUMNS})
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        on conflict (partition, id) do update
        set status = excluded.status, closed_at = excluded.closed_at, closed_by = excluded.closed_by, note = excluded.note`,
      values: [
        ...[partition, one.id, one.day, one.kind, one.reference, one.transactionId, one.rail, one.ledger],
        ...[one.status, one.openedAt, one.closedAt, one.closedBy, one.note],
      ],
    })),
};

export function parseCase(row: QueryResultRow): ReconciliationCase {
  const amount = (value: unknown) => (value === null ? null : BigInt(value as string));
  return {
    id: row.id as string,
    day: row.day as string,
    kind: row.kind as CaseKind,
    reference: row.reference as string,
    transactionId: row.transaction_id as string | null,
    rail: amount(row.rail),
    ledger: amount(row.ledger),
    status: row.status as ReconciliationCase['status'],
    openedAt: row.opened_at as Date,
    closedAt: row.closed_at as Date | null,
    closedBy: row.closed_by as string | null,
    note: row.note as string | null,
  };
}

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
    throw new TypeError(`${event.type} is about a case that nobody opened`);
  const { note } = event.data;
  return { ...one, status: 'Closed', closedAt: event.time, closedBy: event.metadata.actor, note };
}

const jsonOf = (balance: BalanceRead | null) => balance && JSON.stringify(balance);
