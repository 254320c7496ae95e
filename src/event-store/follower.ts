import type { PoolClient } from 'pg';
import type { RecordedEvent } from './event.js';
import type { Statement } from './inline-projection.js';

/**
 * A follower of the log: an async projection or a saga. It is given every event once, in order, partition by
 * partition; what it writes through `client` commits together with its checkpoint. It calls nobody else.
 */
export interface Follower {
  readonly name: string;
  /** The event types that it is given; the others only move its checkpoint. Absent: all. */
  readonly handles?: ReadonlySet<string>;
  /** The event types that it acts upon at once; the others wait until it is next due. Absent: all that it is given. */
  readonly concerns?: ReadonlySet<string>;
  /**
   * @returns the sources of work (`WorkSource.name`) that were given something to do; nothing where it cannot tell:
   *   then all of them look
   */
  handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<readonly string[] | void>;
}

/**
 * How a table is read through, as data, so that another thread can do it: `$1` is the partition, `$2` the position of
 * the last event whose rows count, `$3` how many rows at most, `$4` and on the key after which (from `first` on). The
 * key is the first columns, and the order.
 */
export interface RowScan {
  readonly name: string;
  readonly text: string;
  readonly first: readonly string[];
}

/**
 * A follower that is a read model and nothing else: its rows follow from the events alone, so they can be checked
 * against the log and built anew. Sagas, whose rows are intentions, are not.
 */
export interface AsyncProjection<Row = unknown> extends Follower {
  /** The tables it writes, and nobody else does. Its statements name them without a schema. */
  readonly tables: readonly string[];
  /** The rows that an event makes, or what it says of them. */
  rowsOf(event: RecordedEvent): readonly Row[];
  /**
   * The table's rows, every column in the text that `textsOf` gives for it. Both are for a projection whose rows no
   * later event changes: then the sums of both sides are compared first. Absent: it is compared row by row.
   */
  readonly scan?: RowScan;
  textsOf?(row: Row): readonly (string | null)[];
  /** Compares rows with the tables, in the database: gives columns `position`, `key`, `field`, `expected`, `found`
   * (all text) for those that differ or are missing. */
  compare(partition: number, rows: readonly Row[]): Statement;
  /**
   * Counts rows after a key (`null`: from the first), in key order, `limit` of them at most: one row with `counted`
   * (those made by events up to position `upTo`), `seen` (all) and `last` (the last key; `null` when there was none).
   */
  count(partition: number, afterKey: string | null, upTo: bigint, limit: number): Statement;
}

export function isAsyncProjection(follower: Follower): follower is AsyncProjection {
  return 'tables' in follower;
}
