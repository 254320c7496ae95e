import type { QueryResultRow } from 'pg';
import type { RecordedEvent } from '../log/event.js';
import type { Statement } from '../log/statement.js';

/** Folds events into rows by key, for verification: nothing of it is stored. */
export interface EventFold<Row> {
  readonly name: string;
  keysOf(event: RecordedEvent): readonly string[];
  evolve(row: Row | undefined, event: RecordedEvent, key: string): Row;
}

/** Adds a row, or what an event adds to one, to the sum of a table: a text that names the row, and what is counted. */
export type AddToSum = (table: string, text: string, weight: bigint) => void;

/**
 * Tables whose rows add up over events (totals, sets of pairs): no row tells which events made it. Both sides are
 * compared as one number, the sum of every row's keyed digest times what the row counts.
 */
export interface AddedTables<Row> {
  /** What the sums are of, as they are named in reports. */
  readonly sums: readonly string[];
  /**
   * One row: `position`, up to which the follower had written at that moment, and a column of each of `sums`. `$1` is
   * the partition, `$2` the key; a text's digest is the first 64 bits of the SHA-256 of key and text, signed
   * (`digestOf`).
   */
  readTables(partition: number, key: string): Statement;
  /** The side of the events. */
  adding(add: AddToSum): Adding<Row>;
}

export interface Adding<Row> {
  /** Adds a row of `rowsOf`. @returns whether the row was enough: else its event goes to `fold` */
  take(row: Row): boolean;
  readonly fold: EventFold<unknown>;
  /** Adds the folded rows. */
  finish(): void;
}

/** The digest of a text, in SQL: what `AddedTables.readTables` multiplies. */
export function digestOf(text: string): string {
  return `('x' || left(encode(sha256(convert_to($2::text || ${text}, 'UTF8')), 'hex'), 16))::bit(64)::bigint::numeric`;
}

/** Runs a statement and gives its rows. */
export type RunStatement = (statement: Statement) => Promise<QueryResultRow[]>;

/** A row that must exist, and the event that made it. */
export interface KeptRow {
  readonly key: string;
  readonly position: bigint;
  /** Only members that the stored row has are compared: earlier versions did not write all of them. */
  readonly fields: Readonly<Record<string, string | null>>;
}

/** Such a row as it is stored. */
export interface FoundRow extends Pick<KeptRow, 'key' | 'fields'> {
  /** What cannot be told of it, as an earlier version left it so: a warning, with the number of such rows. */
  readonly untold?: string;
}

/** Rows that a saga writes and never deletes: their expected content, from the log and inline projections. */
export interface KeptRows {
  /** As they are named in reports. */
  readonly name: string;
  expected(run: RunStatement, partition: number, events: readonly RecordedEvent[]): Promise<readonly KeptRow[]>;
  /** Name of the inline projection's row that the event's row is made of: where that one is wrong, this one is too. */
  sourceOf(event: RecordedEvent): string | undefined;
  /** The stored rows of keys. */
  load(partition: number, keys: readonly string[]): Statement;
  parse(row: QueryResultRow): FoundRow;
  /** As `AsyncProjection.count`. */
  count(partition: number, afterKey: string | null, upTo: bigint, limit: number): Statement;
  readonly states?: KeptStates;
  /**
   * Seals, as they are, the states of rows that versions before left without a seal: rows of events up to a position
   * that no later event changed. From then on no row is excused for having none. @returns how many
   */
  seal?(run: RunStatement, partition: number, upTo: bigint): Promise<number>;
}

/** What must hold of the states that such rows go through, which are in no event. */
export interface KeptStates {
  /** The first rows that cannot be as they are: columns `key`, `field`, `expected`, `found`. @param at the present */
  wrong(partition: number, at: Date): Statement;
  /** The column with the position of an event that changed the row again; 0 where none has. */
  readonly mark: string;
  /** The key of the row that an event changes so. */
  markedBy(event: RecordedEvent): string | undefined;
  /** Of the next rows after a key (uuid), in their order, the last and those with a mark: columns `key`, `position`. */
  marks(partition: number, afterKey: string, limit: number): Statement;
}

/** Work that must be in `work` from the event that begins it to the one that ends it. */
export interface Intention {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly payload: unknown;
  /** When it is due first; the last of its deadlines, where it has several. */
  readonly dueAt: Date;
}

/** The work items of a saga. The worker deletes an item when the log has its end. */
export interface Intentions {
  /** The kinds of work that are its own, and which of a row's columns names what begins and ends it. */
  readonly kinds: ReadonlyMap<string, 'id' | 'subject'>;
  /** Those of them whose rows did not name their owner (`partnerUid`) in older versions. */
  readonly namedNoOwner?: ReadonlySet<string>;
  /** Kinds of its work that are but hints: nothing is left undone without a row, nor done wrongly for one more. */
  readonly hints?: readonly string[];
  /** Types of the events that begin or end any. */
  readonly types: ReadonlySet<string>;
  begunBy(event: RecordedEvent): readonly Intention[];
  /** Kinds and names that an event ends, as `<name>/<kind>`. */
  endedBy(event: RecordedEvent): readonly string[];
}

/** An event that left something undone, or an event that should not have followed it. */
export interface Undone {
  readonly event: RecordedEvent;
  readonly subject: string;
  readonly expected: string;
  readonly found: string;
}

/** What one event says of streams of others: those must have ended with it. */
export interface LeftUndone {
  /** As it is named in reports. */
  readonly check: string;
  /** Called once for each replay. */
  watch(): WatchForUndone;
}

export interface WatchForUndone {
  /** Every event of a partition, in order. */
  see(event: RecordedEvent): Undone | undefined;
  /** What is left at the end. */
  left(): readonly Undone[];
}
