import { join } from 'node:path';
import type { EventFold, RecordedEvent } from '../../../event-store/index.js';
import { KeyFilter } from './key-filter.js';
import { mergeRuns, readRun, type RunRecord, RunWriter } from './sorted-run.js';

/** A row by the events, with the position of the last one. */
export interface FoldedRow<Row> {
  readonly key: string;
  readonly row: Row | undefined;
  readonly position: bigint;
}

export interface FoldOptions<Row> {
  /** The base of rows: nothing, or rows of the caller's; then all events are only collected. */
  readonly base?: 'nothing' | 'elsewhere';
  /** Takes a row that is complete with its first event: the fold drops it. */
  take?(row: Row): boolean;
}

/** Called for an event that could not be applied; `key` is absent if even its keys could not be determined. */
export type FoldFault = (error: unknown, event: RecordedEvent, key?: string) => void;

interface Entry<Row> {
  /** Whether `row` is folded from the key's first event on; otherwise the events wait for the spilled part. */
  readonly whole: boolean;
  row: Row | undefined;
  /** Absent for a whole row. */
  waiting?: RecordedEvent[];
  position: bigint;
}

/** Runs of one level that are merged into one of the next: every row is rewritten once a level. */
const FAN = 48;

/**
 * Folds events into rows with a bounded number of rows in memory. Rows without recent events are spilled to sorted
 * files; later events of a spilled row are collected, and applied when the files are merged. The result comes in key
 * order, as the tables are read.
 */
export class SpillingFold<Row> {
  readonly #spilled = new KeyFilter();
  #young = new Map<string, Entry<Row>>();
  #old = new Map<string, Entry<Row>>();
  #weight = 0;
  readonly #runs: { readonly path: string; readonly level: number }[] = [];
  #made = 0;

  /**
   * @param folder for the files; the caller removes it
   * @param budget rows and waiting events in memory, about half of it recent ones
   */
  constructor(
    readonly folded: EventFold<Row>,
    private readonly folder: string,
    private readonly budget: number,
    private readonly onFault: FoldFault,
    private readonly options: FoldOptions<Row> = {},
  ) {}

  apply(event: RecordedEvent): void {
    let keys: readonly string[];
    try {
      keys = this.folded.keysOf(event);
    } catch (error) {
      this.onFault(error, event);
      return;
    }
    for (const key of keys) this.#touch(key, event);
  }

  /** Every row, in key order. Consumes the fold. */
  *rows(): Generator<FoldedRow<Row>, void, undefined> {
    for (const { key, value } of this.#groups()) yield { key, ...this.#settle(key, value) };
  }

  /** Every key with its events in order, for a fold whose base is elsewhere. */
  *events(): Generator<{ key: string; events: readonly RecordedEvent[] }, void, undefined> {
    for (const { key, value } of this.#groups()) yield { key, events: value.flatMap(({ waiting }) => waiting ?? []) };
  }

  #touch(key: string, event: RecordedEvent): void {
    const young = this.#young.get(key);
    const entry = young ?? this.#old.get(key) ?? this.#newEntry(key);
    if (entry.whole) {
      const isFirst = entry.position === 0n;
      this.#evolve(entry, event, key);
      if (isFirst && entry.row !== undefined && this.options.take?.(entry.row)) return;
    }
    if (!young) {
      this.#old.delete(key);
      this.#young.set(key, entry);
      this.#weight += 1;
    }
    if (!entry.whole) {
      (entry.waiting ??= []).push(event);
      this.#weight += 1;
    }
    entry.position = event.position;
    if (this.#weight >= this.budget / 2) this.#rotate();
  }

  #newEntry(key: string): Entry<Row> {
    const isNew = this.options.base !== 'elsewhere' && !this.#spilled.mayHave(key);
    return { whole: isNew, row: undefined, waiting: undefined, position: 0n };
  }

  #evolve(entry: Entry<Row>, event: RecordedEvent, key: string): void {
    try {
      entry.row = this.folded.evolve(entry.row, event, key);
    } catch (error) {
      this.onFault(error, event, key);
    }
  }

  #rotate(): void {
    this.#spill(this.#old);
    this.#old = this.#young;
    this.#young = new Map();
    this.#weight = 0;
  }

  #spill(entries: Map<string, Entry<Row>>): void {
    if (entries.size === 0) return;
    for (const key of entries.keys()) this.#spilled.add(key);
    this.#write(sorted(entries), 0);
    for (let last = this.#fullLevel(); last.length > 0; last = this.#fullLevel()) {
      this.#runs.length -= last.length;
      this.#write(mergeRuns(last.map(({ path }) => readRun<Entry<Row>>(path))), last[0]!.level + 1);
    }
  }

  /** The newest runs, if enough of one level to be merged. Merging adjacent runs keeps the order. */
  #fullLevel() {
    const last = this.#runs.slice(-FAN);
    return last.length === FAN && last.every(({ level }) => level === last[0]!.level) ? last : [];
  }

  #write(records: Iterable<RunRecord<Entry<Row>>>, level: number): void {
    this.#made += 1;
    const writer = new RunWriter<Entry<Row>>(join(this.folder, `${this.folded.name}-${this.#made}`));
    for (const { key, value } of records) writer.add(key, value);
    writer.close();
    this.#runs.push({ path: writer.path, level });
  }

  *#groups(): Generator<{ key: string; value: Entry<Row>[] }, void, undefined> {
    const inMemory = [sorted(this.#old)[Symbol.iterator](), sorted(this.#young)[Symbol.iterator]()];
    const runs = this.#runs.map(({ path }) => readRun<Entry<Row>>(path));
    let key: string | undefined;
    let value: Entry<Row>[] = [];
    for (const record of mergeRuns<Entry<Row>>([...runs, ...inMemory])) {
      if (record.key !== key) {
        if (key !== undefined) yield { key, value };
        key = record.key;
        value = [];
      }
      value.push(record.value);
    }
    if (key !== undefined) yield { key, value };
  }

  #settle(key: string, entries: readonly Entry<Row>[]): { row: Row | undefined; position: bigint } {
    const settled: Entry<Row> = { whole: true, row: entries[0]!.row, position: entries.at(-1)!.position };
    for (const { waiting } of entries) for (const event of waiting ?? []) this.#evolve(settled, event, key);
    return settled;
  }
}

function sorted<V>(entries: Map<string, V>): RunRecord<V>[] {
  return [...entries.keys()].sort().map((key) => ({ key, value: entries.get(key)! }));
}
