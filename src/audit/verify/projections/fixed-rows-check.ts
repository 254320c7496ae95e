import type { FixedRows, InlineProjection, RecordedEvent } from '../../../event-store/index.js';
import type { Findings } from '../report.js';
import { RowSum } from './row-sum.js';
import type { FoldedRow, SpillingFold } from '../folds/spilling-fold.js';
import type { TableSum, TableToSum } from './sum-table.js';

export type FixedProjection = InlineProjection & { readonly fixed: FixedRows<unknown> };

export function isFixed(projection: InlineProjection): projection is FixedProjection {
  return projection.fixed !== undefined;
}

export interface FixedRowsContext {
  readonly findings: Findings;
  /** Position of the last examined event. */
  readonly upTo: bigint;
  /** Random key of this run. */
  readonly key: string;
  /** A file for the keys of rows that are not fixed. */
  readonly others: string;
  /** Folds rows, except those that `take` accepts. */
  fold(take: (row: unknown) => boolean): SpillingFold<unknown>;
  /** Present position of the partition's last event. */
  reachedNow(): Promise<bigint>;
  /** Compares rows that are not fixed with those of the table, by the keys in the file. */
  compareOthers(rows: Iterable<FoldedRow<unknown>>): Promise<void>;
  /** Compares all rows one by one, which reads the log again. */
  compareAll(): Promise<void>;
}

/** Compares an inline projection with fixed rows with the events: fixed rows by their sum first. */
export class FixedRowsCheck {
  readonly check: string;
  readonly table: TableToSum;
  readonly #sum: RowSum;
  readonly #fold: SpillingFold<unknown>;

  constructor(
    projection: FixedProjection,
    private readonly context: FixedRowsContext,
  ) {
    const { key, upTo } = context;
    const { fixed } = projection;
    const { scan } = fixed;
    this.check = `rows of ${projection.name}`;
    this.table = { scan, upTo, key, ...(scan.only && { others: context.others }) };
    this.#sum = new RowSum(key);
    this.#fold = context.fold((row) => {
      if (fixed.has && !fixed.has(row)) return false;
      this.#sum.add(fixed.textsOf(row));
      return true;
    });
  }

  examine(page: readonly RecordedEvent[]): void {
    for (const event of page) this.#fold.apply(event);
  }

  /** @param found the sum of the table's rows */
  async finish(found: TableSum | undefined): Promise<void> {
    const { context } = this;
    const isSame = found?.text === this.#sum.text() && found.newest <= (await context.reachedNow());
    if (!isSame) return context.compareAll();
    context.findings.saw(this.check, this.#sum.rows);
    if (this.table.others !== undefined) await context.compareOthers(this.#fold.rows());
  }
}
