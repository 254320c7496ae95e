import type { FixedRows, InlineProjection, RecordedEvent } from '../../event-store/index.js';
import type { Findings } from './report.js';
import { RowSum } from './row-sum.js';

export type FixedProjection = InlineProjection & { readonly fixed: FixedRows<unknown> };

export function isFixed(projection: InlineProjection): projection is FixedProjection {
  return projection.fixed !== undefined;
}

/** Compares an inline projection whose rows never change with the events that make them, by sums. */
export class FixedRowsCheck {
  readonly #sum: RowSum;

  /** @param key random, of this run */
  constructor(
    readonly projection: FixedProjection,
    key: string,
    private readonly onFault: (error: unknown, event: RecordedEvent) => void,
  ) {
    this.#sum = new RowSum(key);
  }

  look(event: RecordedEvent): void {
    const { projection } = this;
    try {
      for (const key of projection.keysOf(event)) {
        this.#sum.add(projection.fixed.textsOf(projection.evolve(undefined, event, key)));
      }
    } catch (error) {
      this.onFault(error, event);
    }
  }

  /** @param found the sum of the table's rows. @returns whether they are the ones that the events make */
  isMatched(found: string | undefined, findings: Findings): boolean {
    if (found !== this.#sum.text()) return false;
    findings.saw(`rows of ${this.projection.name}`, this.#sum.rows);
    return true;
  }
}
