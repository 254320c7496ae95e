import type { Head } from './batch.js';
import { commandsOf, type Submission } from './submission.js';
import { idempotencyProjection } from './idempotency.js';
import { type InlineProjection, LoadedRows } from '../projections/inline-projection.js';

/**
 * Most rows that are cached of a projection, unless it says otherwise; those that were not written for longest go
 * first.
 */
const MAX_ROWS = 2_000;

/**
 * Rows in two generations: when the younger one has half of the rows that may be kept, the older one is dropped whole.
 * Evicting row by row from one map would search for its first entry each time.
 */
class TwoGenerations {
  #younger = new Map<string, unknown>();
  #older = new Map<string, unknown>();

  constructor(private readonly maxRows: number) {}

  get(key: string): unknown {
    return this.#younger.get(key) ?? this.#older.get(key);
  }

  set(key: string, row: unknown): void {
    this.#younger.set(key, row);
    if (this.#younger.size < this.maxRows / 2) return;
    this.#older = this.#younger;
    this.#younger = new Map();
  }

  clear(): void {
    this.#younger.clear();
    this.#older.clear();
  }
}

export type RowsByProjection = Iterable<readonly [InlineProjection, Iterable<readonly [string, unknown]>]>;

export interface CachedRows {
  readonly head: Head;
  readonly rows: LoadedRows;
  /** Keys of rows that are not cached, by projection. */
  readonly missing: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * A lane's cache after its last commit: the head, and rows as they were read or written. It is valid while no other
 * process moves the head, so a write that used it asserts the head's position (ADR 0008).
 */
export class RowCache {
  #head: Head | undefined;
  readonly #rows: ReadonlyMap<string, TwoGenerations>;

  constructor(private readonly projections: readonly InlineProjection[]) {
    this.#rows = new Map(projections.map(({ name, remembered = MAX_ROWS }) => [name, new TwoGenerations(remembered)]));
  }

  /**
   * The head, the cached rows that the commands read, and the keys of the missing ones. An idempotency key that is not
   * cached counts as new: its insert fails if that is wrong.
   */
  read(pending: readonly Submission[]): CachedRows | undefined {
    if (!this.#head) return undefined;
    const rows = new LoadedRows(this.projections);
    const missing = new Map<string, Set<string>>();
    for (const { append, mark, requestMark } of commandsOf(pending)) {
      for (const name in append.reads) {
        const cached = this.#rows.get(name)!;
        const wanted = rows.of(name);
        for (const key of append.reads[name]!) {
          const row = cached.get(key);
          if (row !== undefined) wanted.set(key, row);
          else missing.set(name, (missing.get(name) ?? new Set()).add(key));
        }
      }
      for (const key of [mark, requestMark]) {
        const earlier = key && this.#rows.get(idempotencyProjection.name)!.get(key.id);
        if (earlier) rows.of(idempotencyProjection.name).set(key.id, earlier);
      }
    }
    return { head: this.#head, rows, missing };
  }

  /** Stores rows that were read under the head's lock. If another process has written since, the rest is dropped. */
  storeLoaded(head: Head, rows: RowsByProjection): void {
    if (this.#head?.tree.size !== head.tree.size || this.#head.corrections !== head.corrections) this.clear();
    this.storeCommitted(head, rows);
  }

  clear(): void {
    this.#head = undefined;
    for (const rows of this.#rows.values()) rows.clear();
  }

  /** Stores the head and the rows of a commit. */
  storeCommitted(head: Head, rows: RowsByProjection): void {
    this.#head = head;
    this.store(rows);
  }

  /** Stores rows that are valid at the cached head. */
  store(rows: RowsByProjection): void {
    for (const [{ name }, its] of rows) {
      const cached = this.#rows.get(name)!;
      for (const [key, row] of its) cached.set(key, row);
    }
  }
}
