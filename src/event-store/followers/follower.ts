import type { PoolClient } from 'pg';
import type { RecordedEvent } from '../log/event.js';
import type { FixedRows } from '../projections/fixed-rows.js';
import type { Statement } from '../log/statement.js';
import type { AddedTables, Intentions, KeptRows, LeftUndone } from '../projections/verifiable.js';

/**
 * A follower of the log: an async projection or a saga. It is given every event that it handles once, in order,
 * partition by partition; what it writes through `client` commits together with its checkpoint. It makes no other
 * calls.
 */
export interface Follower {
  readonly name: string;
  /** The event types that it handles; the others only move its checkpoint. Absent: all. */
  readonly handles?: ReadonlySet<string>;
  /** The event types that wake it; the others wait for its next poll. Absent: all that it handles. */
  readonly urgent?: ReadonlySet<string>;
  /** Of a saga, for verification: rows that stay, and work that must exist. */
  readonly keeps?: KeptRows;
  readonly intends?: Intentions;
  readonly leaves?: LeftUndone;
  /**
   * @returns the sources of work (`WorkSource.name`) that got new items; nothing where it cannot tell: then all are
   *   polled
   */
  handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<readonly string[] | void>;
}

/**
 * A follower that is a read model and nothing else: its rows follow from the events alone, so they can be checked
 * against the log and rebuilt. Sagas, whose rows are intentions, are not.
 */
export interface AsyncProjection<Row = unknown> extends Follower {
  /**
   * The tables it writes, and nobody else does. Its statements name them without a schema. A rebuild replaces them in
   * this order: whoever reads several in one statement names them in it too, or the two wait for each other.
   */
  readonly tables: readonly string[];
  /** It opens personal data: a rebuild needs the keys. */
  readonly opens?: true;
  /** The rows that an event makes, or what it says of them. */
  rowsOf(event: RecordedEvent): readonly Row[];
  /** Whether a row is in the tables to be compared. Absent: every one is. Those that are not only add to sums. */
  stores?(row: Row): boolean;
  /** Where no later event changes a row: then the sums of both sides are compared first. Absent: it goes row by row. */
  readonly fixed?: FixedRows<Row>;
  /** Those of its tables whose rows add up over events. */
  readonly adds?: AddedTables<Row>;
  /** Compares rows with the tables, in the database: gives columns `position`, `key`, `field`, `expected`, `found`
   * (all text) for those that differ or are missing. */
  compare(partition: number, rows: readonly Row[]): Statement;
  /**
   * Counts rows after a key (`null`: from the first), in key order, `limit` of them at most: one row with `counted`
   * (those made by events up to position `upTo`), `seen` (all), `newest` (the highest position of an event that made or
   * changed one) and `last` (the last key); these two are `null` when there was none.
   */
  count(partition: number, afterKey: string | null, upTo: bigint, limit: number): Statement;
}

export function isAsyncProjection(follower: Follower): follower is AsyncProjection {
  return 'tables' in follower;
}
