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
  /** Position of the last event that is looked at. */
  readonly upTo: bigint;
  /** Random, of this run. */
  readonly key: string;
  /** A file for the keys of rows that are not fixed. */
  readonly others: string;
  /** Folds rows but those that it may give away. */
  fold(take: (row: unknown) => boolean): SpillingFold<unknown>;
  /** Position of the partition's last event by now. */
  reachedNow(): Promise<bigint>;
  /** Compares rows that are not fixed with those of the table whose keys are in the file. */
  compareOthers(rows: Iterable<FoldedRow<unknown>>): Promise<void>;
  /** Compares all rows, one by one, for which the log is read once more. */
  compareAll(): Promise<void>;
}

/** Compares an inline projection whose rows, or some of them, never change with the events: those by sums first. */
export class FixedRowsCheck {
  readonly table: TableToSum;
  readonly #sum: RowSum;
  readonly #fold: SpillingFold<unknown>;

  constructor(
    private readonly projection: FixedProjection,
    private readonly context: FixedRowsContext,
  ) {
    const { key, upTo } = context;
    const { fixed } = projection;
    const { scan } = fixed;
    this.table = { scan, upTo, key, ...(scan.only && { others: context.others }) };
    this.#sum = new RowSum(key);
    this.#fold = context.fold((row) => {
      if (fixed.has && !fixed.has(row)) return false;
      this.#sum.add(fixed.textsOf(row));
      return true;
    });
  }

  look(page: readonly RecordedEvent[]): void {
    for (const event of page) this.#fold.apply(event);
  }

  /** @param found what the table's rows come to */
  async finish(found: TableSum | undefined): Promise<void> {
    const { context } = this;
    const isSame = found?.text === this.#sum.text() && found.newest <= (await context.reachedNow());
    if (!isSame) return context.compareAll();
    context.findings.saw(`rows of ${this.projection.name}`, this.#sum.rows);
    if (this.table.others !== undefined) await context.compareOthers(this.#fold.rows());
  }
}
