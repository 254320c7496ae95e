import type { AsyncProjection, RecordedEvent } from '../../../event-store/index.js';
import type { AddedTablesCheck } from './added-tables-check.js';
import { compareNewest, countRows, type FollowerCheckContext } from './count-rows.js';
import { RowSum } from './row-sum.js';
import type { TableSum, TableToSum } from './sum-table.js';

interface Difference {
  readonly position: string;
  readonly key: string;
  readonly field: string;
  readonly expected: string | null;
  readonly found: string | null;
}

/** The inputs of an async projection's check. */
export interface AsyncCheckContext extends FollowerCheckContext {
  /** Random key of this run. */
  readonly key: string;
  /** Reads the events again, from the first on. */
  again(): AsyncIterable<readonly RecordedEvent[]>;
  /** The check of its tables whose rows add up over events. */
  readonly added?: AddedTablesCheck;
  readonly onFault: (error: unknown, event: RecordedEvent) => void;
}

/**
 * Compares an async projection's rows with the events, up to its checkpoint: the database compares a page's rows by
 * key, and rows without an event show in the count. Fixed rows, where the projection defines how they are read, are
 * first compared by sums of both sides, which is quicker; one by one only if these differ.
 */
export class AsyncProjectionCheck {
  readonly table: TableToSum | undefined;
  readonly #sum: RowSum;
  #expected = 0;
  #comparing: Promise<void> = Promise.resolve();

  constructor(
    private readonly projection: AsyncProjection,
    private readonly context: AsyncCheckContext,
  ) {
    const { key, upTo } = context;
    this.table = projection.fixed && { scan: projection.fixed.scan, upTo, key };
    this.#sum = new RowSum(context.key);
  }

  get check(): string {
    return `rows of ${this.projection.name}`;
  }

  /** The next page of events, in order. */
  async examine(page: readonly RecordedEvent[]): Promise<void> {
    const { fixed } = this.projection;
    const others: unknown[] = [];
    const { onFault, added } = this.context;
    for (const row of this.#rowsOf(page, onFault, added)) {
      if (this.projection.stores?.(row) === false) continue;
      if (fixed && this.#isFixed(row)) this.#sum.add(fixed.textsOf(row));
      else others.push(row);
    }
    await this.#compareWithTable(others);
  }

  /** @param found the sum of the table's fixed rows, for a projection that defines how they are read */
  async finish(found: TableSum | undefined): Promise<void> {
    const { findings } = this.context;
    const { fixed } = this.projection;
    findings.saw(this.check, this.#expected + this.#sum.rows);
    this.context.added?.finish();
    const isSame = !fixed || found?.text === this.#sum.text();
    if (isSame && fixed && !fixed.has) return compareNewest(this.projection, found!.newest, this.context);
    if (isSame) this.#expected += this.#sum.rows;
    else await this.#compareFixed();
    await this.#comparing;
    await countRows(this.projection, this.#expected, this.context);
  }

  /** Compares one by one, which reads the log again. */
  async #compareFixed(): Promise<void> {
    for await (const page of this.context.again()) {
      // What cannot be replayed is reported already.
      const rows = this.#rowsOf(page, () => undefined);
      await this.#compareWithTable(rows.filter((row) => this.#isFixed(row)));
    }
  }

  #isFixed(row: unknown): boolean {
    const { fixed } = this.projection;
    return fixed !== undefined && (fixed.has?.(row) ?? true);
  }

  /** Compares concurrently with the caller; at most one comparison is in progress. */
  async #compareWithTable(rows: readonly unknown[]): Promise<void> {
    await this.#comparing;
    if (rows.length === 0) return;
    this.#expected += rows.length;
    this.#comparing = this.#compare(rows);
    this.#comparing.catch(() => undefined);
  }

  #rowsOf(
    page: readonly RecordedEvent[],
    onFault: AsyncCheckContext['onFault'],
    added?: AddedTablesCheck,
  ): readonly unknown[] {
    const { handles } = this.projection;
    const rows: unknown[] = [];
    for (const event of page) {
      if (event.position > this.context.upTo || (handles && !handles.has(event.type))) continue;
      try {
        const its = this.projection.rowsOf(event);
        added?.examine(event, its);
        rows.push(...its);
      } catch (error) {
        onFault(error, event);
      }
    }
    return rows;
  }

  async #compare(rows: readonly unknown[]): Promise<void> {
    const { database, partition, findings } = this.context;
    const differences = await database.backgroundQuery<Difference>(this.projection.compare(partition, rows));
    const firsts = new Map<string, Difference>();
    for (const difference of differences) if (!firsts.has(difference.key)) firsts.set(difference.key, difference);
    for (const { position, key, field, expected, found } of firsts.values()) {
      findings.report({
        check: this.check,
        partition,
        position: BigInt(position),
        subject: `${this.projection.name} ${key}`,
        field,
        expected: expected ?? 'nothing',
        found: found ?? 'nothing',
      });
    }
  }
}
