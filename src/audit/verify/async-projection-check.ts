import type { AsyncProjection, RecordedEvent } from '../../event-store/index.js';
import type { Database } from '../../platform/database/index.js';
import type { Findings } from './report.js';

const COUNT_PAGE = 100_000;

interface Difference {
  readonly position: string;
  readonly key: string;
  readonly field: string;
  readonly expected: string | null;
  readonly found: string | null;
}

/**
 * Compares an async projection's rows with the events that make them, up to where it has followed the log. The
 * database compares a page's rows by key; rows that no event explains show in the count.
 */
export class AsyncProjectionCheck {
  #expected = 0;
  #comparing: Promise<void> = Promise.resolve();

  /** @param upTo position that the projection had reached when the verification began */
  constructor(
    private readonly projection: AsyncProjection,
    private readonly database: Database,
    private readonly partition: number,
    private readonly upTo: bigint,
    private readonly findings: Findings,
    private readonly onFault: (error: unknown, event: RecordedEvent) => void,
  ) {}

  get #check(): string {
    return `rows of ${this.projection.name}`;
  }

  /** The page is compared while the caller goes on; at most one comparison is under way. */
  async look(events: readonly RecordedEvent[]): Promise<void> {
    const rows = events.filter(({ position }) => position <= this.upTo).flatMap((event) => this.#rowsOf(event));
    await this.#comparing;
    if (rows.length === 0) return;
    this.#expected += rows.length;
    this.#comparing = this.#compare(rows);
    this.#comparing.catch(() => undefined);
  }

  async finish(): Promise<void> {
    await this.#comparing;
    let counted = 0;
    let after: string | null = null;
    do {
      const statement = this.projection.count(this.partition, after, this.upTo, COUNT_PAGE);
      const [page] = await this.database.backgroundQuery<{ counted: number; seen: number; last: string | null }>(
        statement,
      );
      counted += page!.counted;
      after = page!.seen === COUNT_PAGE ? page!.last : null;
    } while (after !== null);
    this.findings.saw(this.#check, this.#expected);
    if (counted <= this.#expected) return;
    this.findings.report({
      check: this.#check,
      partition: this.partition,
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
    } catch (error) {
      this.onFault(error, event);
      return [];
    }
  }

  async #compare(rows: readonly unknown[]): Promise<void> {
    const differences = await this.database.backgroundQuery<Difference>(this.projection.compare(this.partition, rows));
    const firsts = new Map<string, Difference>();
    for (const difference of differences) if (!firsts.has(difference.key)) firsts.set(difference.key, difference);
    for (const { position, key, field, expected, found } of firsts.values()) {
      this.findings.report({
        check: this.#check,
        partition: this.partition,
        position: BigInt(position),
        subject: `${this.projection.name} ${key}`,
        field,
        expected: expected ?? 'nothing',
        found: found ?? 'nothing',
      });
    }
  }
}
