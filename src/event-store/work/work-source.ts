import type { QueryResultRow } from 'pg';
import type { Statement } from '../log/statement.js';
import type { HeldLease } from './held-lease.js';
import type { Room, WorkShare } from './shares.js';

/** Names a work item: enough to claim it. */
export interface WorkRef {
  readonly partition: number;
  readonly id: string;
  /** Whose slots it takes, where several owners share the slots. */
  readonly share?: WorkShare;
}

/** An item that this process works on. */
export interface ClaimedWork extends WorkRef {
  readonly lease: HeldLease;
}

/** Where the rows of several sources are: one query finds which of them have due items. */
export interface WorkPlace {
  /** Absent: in every partition. */
  readonly partitions?: readonly number[];
  /** Those of the sources that have an item due by `by` in a partition: column `source`. */
  waiting(partition: number, sources: readonly string[], by: Date): Statement;
}

/**
 * A table whose rows are work items. A worker claims a row for the time of a lease and renews it while it works, so the
 * items of a killed process move on within seconds. What the work writes to its row is fenced by the lease. What is due
 * is so by the clock of the process that asks; leases are judged by the database's (`FREE`).
 */
export interface WorkSource<Item extends ClaimedWork> {
  readonly name: string;
  readonly place: WorkPlace;
  /**
   * Rows of a partition that are due and not leased, oldest first, found without a lock: columns `partition`, `id`,
   * `due_at`, and where slots are shared `owner` and `target`: then at most as many of an owner as it has free slots,
   * and some of every owner that has any, however long the backlogs of the others.
   */
  due(now: Date, room: Room, partition: number): Statement;
  /** Leases those of the rows that are still free, skips rows that another process is claiming, and returns them. */
  claim(partition: number, ids: readonly string[], lease: string, now: Date): Statement;
  /** Column `id` of those that are still held. */
  renew(partition: number, ids: readonly string[], lease: string): Statement;
  /** Releases leases at shutdown; the rows stay due. */
  release(partition: number, ids: readonly string[], lease: string): Statement;
  parse(row: QueryResultRow, lease: HeldLease): Item;
  /** Counts what is due in a partition: one row with `due` (a bounded count) and `oldest` (when the oldest was due). */
  backlog(now: Date, partition: number): Statement;
}

export interface Worker<Item extends ClaimedWork> {
  readonly source: WorkSource<Item>;
  /** Items in progress at once in this process; where slots are shared, those of one owner while no other has work. */
  readonly concurrency: number;
  /** Requests go before it: while they come it begins at a pace, the faster the later its oldest item is. */
  readonly givesWay?: boolean;
  /** One item at a time in this process, owners in turns, however much work each has. */
  readonly inTurns?: boolean;
  /**
   * Does the work and writes its result to the row, fenced by its lease. After a throw the row waits for its lease to
   * expire.
   */
  perform(item: Item): Promise<void>;
}
