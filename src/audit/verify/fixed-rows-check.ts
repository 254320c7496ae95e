import type { FixedRows, InlineProjection, RecordedEvent } from '../../event-store/index.js';
import type { Findings } from './report.js';
import { RowSum } from './row-sum.js';
import type { TableSum } from './sum-table.js';
import type { TableToSum } from './threaded-log-check.js';

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
  /** Position of the partition's last event by now. */
  reachedNow(): Promise<bigint>;
  /** Compares row by row, for which the log is read once more. */
  compare(projection: InlineProjection): Promise<void>;
  readonly onFault: (error: unknown, event: RecordedEvent) => void;
}

/** Compares an inline projection whose rows never change with the events that make them: by sums first. */
export class FixedRowsCheck {
  readonly table: TableToSum;
  readonly #sum: RowSum;

  constructor(
    private readonly projection: FixedProjection,
    private readonly context: FixedRowsContext,
  ) {
    const { key, upTo } = context;
    this.table = { scan: projection.fixed.scan, upTo, key };
    this.#sum = new RowSum(key);
  }

  look(page: readonly RecordedEvent[]): void {
    for (const event of page) {
      try {
        for (const key of this.projection.keysOf(event)) {
          this.#sum.add(this.projection.fixed.textsOf(this.projection.evolve(undefined, event, key)));
        }
      } catch (error) {
        this.context.onFault(error, event);
      }
    }
  }

  /** @param found what the table's rows come to */
  async finish(found: TableSum | undefined): Promise<void> {
    const isSame = found?.text === this.#sum.text() && found.newest <= (await this.context.reachedNow());
    if (!isSame) return this.context.compare(this.projection);
    this.context.findings.saw(`rows of ${this.projection.name}`, this.#sum.rows);
  }
}
