import type { QueryResultRow } from 'pg';
import type { RecordedEvent } from '../log/event.js';
import type { Statement } from '../log/statement.js';

/** Folds events into rows by key, for those who verify: nothing of it is stored. */
export interface EventFold<Row> {
  readonly name: string;
  keysOf(event: RecordedEvent): readonly string[];
  evolve(row: Row | undefined, event: RecordedEvent, key: string): Row;
}

/** Adds a row, or what an event adds to one, to the sum of a table: a text that names the row, and what is counted. */
export type AddToSum = (table: string, text: string, weight: bigint) => void;

/**
 * Tables whose rows add up over events (totals, sets of pairs): no row tells which events made it. Both sides are compared
 * as one number, the sum of every row's keyed digest times what the row counts.
 */
export interface AddedTables<Row> {
  /** What the sums are of, as they are named in reports. */
  readonly sums: readonly string[];
  /**
   * One row: `position`, up to which the follower had written at that moment, and a column of each of `sums`. `$1` is the
   * partition, `$2` the key; a text's digest is the first 64 bits of the SHA-256 of key and text, signed (`digestOf`).
   */
  readTables(partition: number, key: string): Statement;
  /** The side of the events. */
  adding(add: AddToSum): Adding<Row>;
}

export interface Adding<Row> {
  /** Adds what a row of `rowsOf` says by itself. @returns whether that was all: else its event goes to `fold` */
  take(row: Row): boolean;
  readonly fold: EventFold<unknown>;
  /** Adds what was gathered. */
  finish(): void;
}

/** The digest of a text, in SQL: what `AddedTables.readTables` multiplies. */
export function digestOf(text: string): string {
  return `('x' || left(encode(sha256(convert_to($2::text || ${text}, 'UTF8')), 'hex'), 16))::bit(64)::bigint::numeric`;
}

/** Runs a statement and gives its rows. */
export type RunStatement = (statement: Statement) => Promise<QueryResultRow[]>;

/** A row that must stand, and the event that made it. */
export interface KeptRow {
  readonly key: string;
  readonly position: bigint;
  /** Those that the row has are compared: one that it lacks, an earlier version did not write. */
  readonly fields: Readonly<Record<string, string | null>>;
}

/** Rows that a saga wrote and never takes away: what of them follows from the log, and from inline projections. */
export interface KeptRows {
  /** As they are named in reports. */
  readonly name: string;
  expected(run: RunStatement, partition: number, events: readonly RecordedEvent[]): Promise<readonly KeptRow[]>;
  /** The inline projection's row that what an event makes is made of, as verify names it; where that is wrong, this is too. */
  sourceOf(event: RecordedEvent): string | undefined;
  /** Those that stand under keys. */
  load(partition: number, keys: readonly string[]): Statement;
  parse(row: QueryResultRow): Pick<KeptRow, 'key' | 'fields'>;
  /** As `AsyncProjection.count`. */
  count(partition: number, afterKey: string | null, upTo: bigint, limit: number): Statement;
}

/** Something that was begun and must be in `work` until it has ended. */
export interface Intention {
  readonly id: string;
  readonly kind: string;
  readonly subject: string;
  readonly payload: unknown;
}

/** What a saga has put into `work`. Who does it takes it away when the log has its end. */
export interface Intentions {
  /** The kinds of work that are its own, and which of a row's columns names what begins and ends it. */
  readonly kinds: ReadonlyMap<string, 'id' | 'subject'>;
  /** Types of the events that begin or end any. */
  readonly types: ReadonlySet<string>;
  begunBy(event: RecordedEvent): readonly Intention[];
  /** Kinds and names that an event ends, as `<name>/<kind>`. */
  endedBy(event: RecordedEvent): readonly string[];
}
