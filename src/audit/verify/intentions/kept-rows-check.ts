import type { Follower, KeptRow, KeptRows, RecordedEvent } from '../../../event-store/index.js';
import type { Divergence } from '../report.js';
import { countRows, type FollowerCheckContext } from '../projections/count-rows.js';

/** Events compared in one batch. */
const BATCH = 500;
const MAX_REMEMBERED = 10_000;

/** Compares rows that a saga wrote with the log: each exists, as it was written, and there are no others. */
export class KeptRowsCheck {
  #waiting: RecordedEvent[] = [];
  #expected = 0;
  /** What cannot be told of rows, and of how many. */
  readonly #untold = new Map<string, number>();
  /** Reported at the end: those whose source row is wrong itself are left out. */
  readonly #wrong: { readonly divergence: Divergence; readonly source: string | undefined }[] = [];

  constructor(
    private readonly follower: Follower & { readonly keeps: KeptRows },
    private readonly context: FollowerCheckContext,
  ) {}

  get check(): string {
    return `rows of ${this.follower.keeps.name}`;
  }

  async examine(page: readonly RecordedEvent[]): Promise<void> {
    const { handles } = this.follower;
    for (const event of page) {
      if (event.position <= this.context.upTo && (!handles || handles.has(event.type))) this.#waiting.push(event);
    }
    if (this.#waiting.length >= BATCH) await this.#compare();
  }

  async finish(): Promise<void> {
    await this.#compare();
    const { findings, partition } = this.context;
    const { name } = this.follower.keeps;
    for (const [untold, count] of this.#untold) {
      findings.warnings.push(`${count} ${name} of partition ${partition}, ${untold}`);
    }
    for (const { divergence, source } of this.#wrong) {
      if (source === undefined || !findings.names(source)) findings.report(divergence);
    }
    findings.saw(this.check, this.#expected);
    await countRows(this.follower.keeps, this.#expected, this.context);
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
    for (const { untold } of found) {
      if (untold !== undefined) this.#untold.set(untold, (this.#untold.get(untold) ?? 0) + 1);
    }
    const byKey = new Map(found.map(({ key, fields }) => [key, fields]));
    const sources = new Map(events.map((event) => [event.position, keeps.sourceOf(event)]));
    for (const row of rows) this.#compareRow(row, byKey.get(row.key), sources.get(row.position));
  }

  async #expectedOf(events: readonly RecordedEvent[]): Promise<readonly KeptRow[]> {
    const { database, partition } = this.context;
    const { keeps } = this.follower;
    try {
      return await keeps.expected((statement) => database.backgroundQuery(statement), partition, events);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      // A damaged row cannot be derived: the others are still compared.
      const [event, ...more] = events;
      if (more.length > 0) {
        const each = [];
        for (const one of events) each.push(...(await this.#expectedOf([one])));
        return each;
      }
      const expected = `what ${event!.type} makes`;
      const divergence = this.#divergence(event!.position, keeps.name, 'row', expected, error.message);
      this.#remember(divergence, keeps.sourceOf(event!));
      this.#expected += 1;
      return [];
    }
  }

  #compareRow({ key, position, fields }: KeptRow, found: KeptRow['fields'] | undefined, source: string | undefined) {
    const subject = `${this.follower.keeps.name} ${key}`;
    const field = found ? Object.keys(found).find((name) => fields[name] !== found[name]) : 'row';
    if (!field) return;
    const expected = found ? (fields[field] ?? 'nothing') : 'a row';
    const divergence = this.#divergence(position, subject, field, expected, found?.[field] ?? 'nothing');
    this.#remember(divergence, source);
  }

  #remember(divergence: Divergence, source: string | undefined): void {
    // Bounded: the report shows only the first ones.
    if (this.#wrong.length < MAX_REMEMBERED) this.#wrong.push({ divergence, source });
  }

  #divergence(position: bigint, subject: string, field: string, expected: string, found: string): Divergence {
    return { check: this.check, partition: this.context.partition, position, subject, field, expected, found };
  }
}
