import type { AsyncProjection, RecordedEvent } from '../../event-store/index.js';
import type { Database } from '../../platform/database/index.js';
import type { Findings } from './report.js';
import { RowSum } from './row-sum.js';

const COUNT_PAGE = 100_000;
/** Of a row that is not summed up, only counted. */
const NOTHING: readonly string[] = [];

interface Difference {
  readonly position: string;
  readonly key: string;
  readonly field: string;
  readonly expected: string | null;
  readonly found: string | null;
}

/** What an async projection's check works with. */
export interface AsyncCheckContext {
  readonly database: Database;
  readonly partition: number;
  readonly findings: Findings;
  /** Position that the projection had reached when the verification began. */
  readonly upTo: bigint;
  /** Random, of this run. */
  readonly key: string;
  /** The events once more, from the first on. */
  again(): AsyncIterable<readonly RecordedEvent[]>;
  readonly onFault: (error: unknown, event: RecordedEvent) => void;
}

/**
 * Compares an async projection's rows with the events that make them, up to where it has followed the log. First by
 * their sums, which is quick; where these differ, the log is read once more and the database compares a page's rows by
 * key; rows that no event explains show in the count.
 */
export class AsyncProjectionCheck {
  readonly #sum: RowSum;
  #expected = 0;
  #comparing: Promise<void> = Promise.resolve();

  constructor(
    readonly projection: AsyncProjection,
    private readonly context: AsyncCheckContext,
  ) {
    this.#sum = new RowSum(context.key);
  }

  get upTo(): bigint {
    return this.context.upTo;
  }

  get #check(): string {
    return `rows of ${this.projection.name}`;
  }

  look(event: RecordedEvent): void {
    const { handles } = this.projection;
    if (event.position > this.context.upTo || (handles && !handles.has(event.type))) return;
    try {
      for (const row of this.projection.rowsOf(event)) this.#sum.add(this.projection.textsOf?.(row) ?? NOTHING);
    } catch (error) {
      this.context.onFault(error, event);
    }
  }

  /** @param found the sum of the table's rows; `undefined` where they are compared row by row */
  async finish(found: string | undefined): Promise<void> {
    this.context.findings.saw(this.#check, this.#sum.rows);
    if (found === this.#sum.text()) return;
    for await (const events of this.context.again()) await this.#compareRowsOf(events);
    await this.#comparing;
    await this.#compareCount();
  }

  /** The page is compared while the caller goes on; at most one comparison is under way. */
  async #compareRowsOf(events: readonly RecordedEvent[]): Promise<void> {
    const rows = events.filter(({ position }) => position <= this.context.upTo).flatMap((event) => this.#rowsOf(event));
    await this.#comparing;
    if (rows.length === 0) return;
    this.#expected += rows.length;
    this.#comparing = this.#compare(rows);
    this.#comparing.catch(() => undefined);
  }

  async #compareCount(): Promise<void> {
    const { database, partition, upTo, findings } = this.context;
    let counted = 0;
    let after: string | null = null;
    do {
      const statement = this.projection.count(partition, after, upTo, COUNT_PAGE);
      const [page] = await database.backgroundQuery<{ counted: number; seen: number; last: string | null }>(statement);
      counted += page!.counted;
      after = page!.seen === COUNT_PAGE ? page!.last : null;
    } while (after !== null);
    if (counted <= this.#expected) return;
    findings.report({
      check: this.#check,
      partition,
      position: null,
      subject: this.projection.name,
      field: 'count',
      expected: String(this.#expected),
      found: String(counted),
    });
  }

  #rowsOf(event: RecordedEvent): readonly unknown[] {
    try {
      return this.projection.rowsOf(event);
    } catch {
      // Reported when the event was looked at first.
      return [];
    }
  }

  async #compare(rows: readonly unknown[]): Promise<void> {
    const { database, partition, findings } = this.context;
    const differences = await database.backgroundQuery<Difference>(this.projection.compare(partition, rows));
    const firsts = new Map<string, Difference>();
    for (const difference of differences) if (!firsts.has(difference.key)) firsts.set(difference.key, difference);
    for (const { position, key, field, expected, found } of firsts.values()) {
      findings.report({
        check: this.#check,
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
