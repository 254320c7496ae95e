import type { QueryResultRow } from 'pg';
import { InternalError } from '../../platform/errors/index.js';
import type { NewEvent, RecordedEvent } from '../log/event.js';
import type { Statement } from '../log/statement.js';
import type { FixedRows } from './fixed-rows.js';

/** Rows that one batch adds to or changes in a projection. */
export interface RowChanges<Row> {
  readonly inserted: readonly Row[];
  readonly updated: readonly Row[];
}

/** What an event says, against what follows from those before it. */
export interface Contradiction {
  readonly field: string;
  readonly expected: string;
  readonly found: string;
}

/**
 * A read model written in the append's own transaction. `evolve` alone says how events make rows: the live path,
 * replay, verification and rebuild all call it, so that "live equals replayed" can be tested. It must not mutate its
 * row.
 */
export interface InlineProjection<Row = unknown> {
  /** Name under which commands ask for rows: `reads: { [name]: keys }`. */
  readonly name: string;
  /** Most rows in a write lane's cache; a few thousand, if absent. More is for rows that are read often. */
  readonly remembered?: number;
  /** Keys of the rows that an event adds or changes. */
  keysOf(event: RecordedEvent): readonly string[];
  evolve(row: Row | undefined, event: RecordedEvent, key: string): Row;
  /**
   * What an event that was decided on a row contradicts of it: `verify` asks, as the row may have been another then.
   */
  contradicts?(row: Row | undefined, event: RecordedEvent, key: string): Contradiction | undefined;
  /**
   * What else happens, in the same commit, because of a command's events: like `decide` pure and synchronous. It runs
   * for every command, so it finds out by what is loaded already whether it is concerned.
   * @throws RowsWanted when it is, and needs rows that the command did not read
   */
  readonly consequences?: (made: readonly NewEvent[], rows: LoadedRows, at: Date) => readonly NewEvent[];
  keyOf(row: Row): string;
  /** Rows by key, within one partition. */
  load(partition: number, keys: readonly string[]): Statement;
  /** All rows of a partition after a key, in key order: for comparison with a replay. */
  scan(partition: number, afterKey: string | null, limit: number): Statement;
  parse(row: QueryResultRow): Row;
  /** Where no event ever changes a row, or rows of a kind: how they are summed, for comparison with a replay. */
  readonly fixed?: FixedRows<Row>;
  save(partition: number, changes: RowChanges<Row>): Statement[];
  /** Deletes rows, for a rebuild that corrects them; the service itself never does, and its role has no right to. */
  remove(partition: number, keys: readonly string[]): Statement[];
}

/** Rows a command wants loaded before it decides, by projection name. */
export type Reads = Readonly<Record<string, readonly string[]>>;

/** Thrown while a command is decided: nothing was done, and it is decided again with these rows read too. */
export class RowsWanted extends InternalError {
  constructor(readonly reads: Reads) {
    super();
  }
}

/** What `decide` sees: the rows asked for, with the effects of every command before it in the batch. */
export class LoadedRows {
  readonly #rows = new Map<string, Map<string, unknown>>();

  constructor(private readonly projections: readonly InlineProjection[]) {}

  /** @throws TypeError when no projection of that name is registered */
  of<Row>(projection: InlineProjection<Row> | string): Map<string, Row> {
    const name = typeof projection === 'string' ? projection : projection.name;
    let rows = this.#rows.get(name);
    if (!rows) {
      if (!this.projections.some((known) => known.name === name)) {
        throw new TypeError(`no inline projection is registered as ${name}`);
      }
      this.#rows.set(name, (rows = new Map<string, unknown>()));
    }
    return rows as Map<string, Row>;
  }
}
