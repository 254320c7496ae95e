import type { QueryResultRow } from 'pg';
import type { Follower, KeptRow, KeptRows, RecordedEvent } from '../../event-store/index.js';
import type { Database } from '../../platform/database/index.js';
import type { Findings } from './report.js';

const COUNT_PAGE = 50_000;
/** Rows that are compared at once. */
const AT_ONCE = 500;

export interface KeptRowsContext {
  readonly database: Database;
  readonly findings: Findings;
  readonly partition: number;
  /** Position that the saga had reached when the verification began. */
  readonly upTo: bigint;
  /** Position that it has reached by now. */
  reachedNow(): Promise<bigint>;
}

/** Holds rows that a saga wrote against what the log says of them: each is there, as it was written, and no other is. */
export class KeptRowsCheck {
  #waiting: RecordedEvent[] = [];
  #expected = 0;

  constructor(
    private readonly follower: Follower & { readonly keeps: KeptRows },
    private readonly context: KeptRowsContext,
  ) {}

  async look(page: readonly RecordedEvent[]): Promise<void> {
    const { handles } = this.follower;
    for (const event of page) {
      if (event.position <= this.context.upTo && (!handles || handles.has(event.type))) this.#waiting.push(event);
    }
    if (this.#waiting.length >= AT_ONCE) await this.#compare();
  }

  async finish(): Promise<void> {
    await this.#compare();
    const { findings } = this.context;
    const { name } = this.follower.keeps;
    findings.saw(`rows of ${name}`, this.#expected);
    const { counted, newest } = await this.#count();
    if (counted > this.#expected) this.#report(null, name, 'count', String(this.#expected), String(counted));
    const reached = await this.context.reachedNow();
    if (newest > reached) this.#report(null, name, 'position', `at most ${reached}`, String(newest));
  }

  async #compare(): Promise<void> {
    const events = this.#waiting;
    this.#waiting = [];
    if (events.length === 0) return;
    const { database, partition } = this.context;
    const { keeps } = this.follower;
    const rows = await this.#expectedOf(events);
    this.#expected += rows.length;
    const keys = rows.map(({ key }) => key);
    const found = (await database.backgroundQuery(keeps.load(partition, keys))).map((row) => keeps.parse(row));
    const byKey = new Map(found.map(({ key, fields }) => [key, fields]));
    for (const row of rows) this.#compareRow(row, byKey.get(row.key));
  }

  async #expectedOf(events: readonly RecordedEvent[]): Promise<readonly KeptRow[]> {
    const { database, partition } = this.context;
    const { keeps } = this.follower;
    try {
      return await keeps.expected((statement) => database.backgroundQuery(statement), partition, events);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      // Of rows that are damaged nothing can be made: the others are still compared.
      const [event, ...more] = events;
      if (more.length > 0) {
        const each = [];
        for (const one of events) each.push(...(await this.#expectedOf([one])));
        return each;
      }
      this.#report(event!.position, keeps.name, 'row', `what ${event!.type} makes`, error.message);
      return [];
    }
  }

  #compareRow({ key, position, fields }: KeptRow, found: KeptRow['fields'] | undefined): void {
    const subject = `${this.follower.keeps.name} ${key}`;
    if (!found) return this.#report(position, subject, 'row', 'a row', 'nothing');
    const field = Object.keys(fields).find((name) => fields[name] !== found[name]);
    if (field) this.#report(position, subject, field, fields[field] ?? 'nothing', found[field] ?? 'nothing');
  }

  async #count(): Promise<{ counted: number; newest: bigint }> {
    const { database, partition, upTo } = this.context;
    let [counted, newest] = [0, 0n];
    let after: string | null = null;
    do {
      const statement = this.follower.keeps.count(partition, after, upTo, COUNT_PAGE);
      const [page]: QueryResultRow[] = await database.backgroundQuery(statement);
      counted += page!.counted as number;
      const last = BigInt((page!.newest as string | null) ?? 0);
      if (last > newest) newest = last;
      after = page!.seen === COUNT_PAGE ? (page!.last as string) : null;
    } while (after !== null);
    return { counted, newest };
  }

  #report(position: bigint | null, subject: string, field: string, expected: string, found: string): void {
    const check = `rows of ${this.follower.keeps.name}`;
    this.context.findings.report({
      ...{ check, partition: this.context.partition, position, subject, field, expected, found },
    });
  }
}
