import type { Head, Submission } from './batch.js';
import { idempotencyProjection } from './idempotency.js';
import { type InlineProjection, LoadedRows } from '../projections/inline-projection.js';

/** Rows remembered of one projection at most, where it does not say; the longest unwritten go first. */
const MOST_ROWS = 2_000;

/**
 * Rows in two generations: when the younger is half of what may be kept, the older is given up whole. Taking the oldest
 * out of one map, row by row, would have it search for its first entry each time.
 */
class RecentRows {
  #younger = new Map<string, unknown>();
  #older = new Map<string, unknown>();

  constructor(private readonly most: number) {}

  get(key: string): unknown {
    return this.#younger.get(key) ?? this.#older.get(key);
  }

  set(key: string, row: unknown): void {
    this.#younger.set(key, row);
    if (this.#younger.size < this.most / 2) return;
    this.#older = this.#younger;
    this.#younger = new Map();
  }

  clear(): void {
    this.#younger.clear();
    this.#older.clear();
  }
}

export type RowsByProjection = Iterable<readonly [InlineProjection, Iterable<readonly [string, unknown]>]>;

export interface Recalled {
  readonly head: Head;
  readonly rows: LoadedRows;
  /** Keys of rows that are not remembered, by projection. */
  readonly missing: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * What a lane knows after its last commit: the head, and rows as they were read or written. It is true for as long as
 * nobody else moves the head, and whoever writes by it makes the head's position its condition (ADR 0008).
 */
export class RowMemory {
  #head: Head | undefined;
  readonly #rows: ReadonlyMap<string, RecentRows>;

  constructor(private readonly projections: readonly InlineProjection[]) {
    this.#rows = new Map(projections.map(({ name, remembered = MOST_ROWS }) => [name, new RecentRows(remembered)]));
  }

  /**
   * The head, those of the rows that the commands read which are remembered, and the keys of the others. Of an
   * idempotency key that is not, it says that it was never used: the key's insertion fails if that is wrong.
   */
  recall(pending: readonly Submission[]): Recalled | undefined {
    if (!this.#head) return undefined;
    const rows = new LoadedRows(this.projections);
    const missing = new Map<string, Set<string>>();
    for (const { append, mark } of pending) {
      for (const name in append.reads) {
        const remembered = this.#rows.get(name)!;
        const wanted = rows.of(name);
        for (const key of append.reads[name]!) {
          const row = remembered.get(key);
          if (row !== undefined) wanted.set(key, row);
          else missing.set(name, (missing.get(name) ?? new Set()).add(key));
        }
      }
      const earlier = mark && this.#rows.get(idempotencyProjection.name)!.get(mark.id);
      if (earlier) rows.of(idempotencyProjection.name).set(mark.id, earlier);
    }
    return { head: this.#head, rows, missing };
  }

  /** Takes in rows read under the head's lock. Others' work since the last commit makes what was known worthless. */
  loaded(head: Head, rows: RowsByProjection): void {
    if (this.#head?.tree.size !== head.tree.size || this.#head.corrections !== head.corrections) this.forget();
    this.committed(head, rows);
  }

  forget(): void {
    this.#head = undefined;
    for (const rows of this.#rows.values()) rows.clear();
  }

  /** Takes in what a commit left. */
  committed(head: Head, rows: RowsByProjection): void {
    this.#head = head;
    this.read(rows);
  }

  /** Takes in rows that stand at the remembered head. */
  read(rows: RowsByProjection): void {
    for (const [{ name }, its] of rows) {
      const remembered = this.#rows.get(name)!;
      for (const [key, row] of its) remembered.set(key, row);
    }
  }
}
