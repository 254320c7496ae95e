import { hash, randomBytes } from 'node:crypto';
import type { AddedTables, Adding, EventFold, RecordedEvent } from '../../../event-store/index.js';
import type { Database } from '../../../platform/database/index.js';
import type { Findings } from '../report.js';
import type { SpillingFold } from '../folds/spilling-fold.js';

/** The sums of the tables, at one moment. */
export interface AddedSums {
  readonly key: string;
  /** Their follower's checkpoint at that moment. */
  readonly upTo: bigint;
  readonly found: Readonly<Record<string, bigint>>;
}

const TIMEOUT_S = 600;
/** Cached digests of texts: adjacent events add to the same rows. */
const CACHED = 5_000;

/** Reads all with one statement, and so at one moment: the follower may be running. Call it before the head is read. */
export function readAddedSums(database: Database, tables: AddedTables<unknown>, partition: number): Promise<AddedSums> {
  const key = randomBytes(32).toString('hex');
  return database.transaction(async (client) => {
    await client.query(`set local statement_timeout = '${TIMEOUT_S}s'`);
    const { rows } = await client.query<Record<string, string>>(tables.readTables(partition, key));
    const { position, ...sums } = rows[0]!;
    const found = Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, BigInt(sum)]));
    return { key, upTo: BigInt(position!), found };
  }, partition);
}

/** Compares tables whose rows add up over events with what the events add. */
export class AddedTablesCheck {
  readonly #sums = new Map<string, bigint>();
  readonly #digests = new Map<string, bigint>();
  readonly #adding: Adding<unknown>;
  readonly #fold: SpillingFold<unknown>;

  constructor(
    private readonly tables: AddedTables<unknown>,
    private readonly sums: AddedSums,
    private readonly context: { readonly findings: Findings; readonly partition: number },
    fold: (folded: EventFold<unknown>) => SpillingFold<unknown>,
  ) {
    this.#adding = tables.adding((table, text, weight) => this.#add(table, text, weight));
    this.#fold = fold(this.#adding.fold);
  }

  /** The follower's next event, and its rows. */
  examine(event: RecordedEvent, rows: readonly unknown[]): void {
    if (event.position > this.sums.upTo) return;
    for (const row of rows) if (!this.#adding.take(row)) this.#fold.apply(event);
  }

  finish(): void {
    for (const _row of this.#fold.rows()) continue;
    this.#adding.finish();
    const { findings, partition } = this.context;
    for (const name of this.tables.sums) {
      const check = `rows of ${name}`;
      const [expected, found] = [this.#sums.get(name) ?? 0n, this.sums.found[name]];
      findings.saw(check);
      if (found === expected) continue;
      findings.report({
        ...{ check, partition, position: null, subject: name, field: 'sum of all rows' },
        expected: `what events 1 to ${this.sums.upTo} add`,
        found: 'another sum',
      });
    }
  }

  #add(table: string, text: string, weight: bigint): void {
    this.#sums.set(table, (this.#sums.get(table) ?? 0n) + this.#digest(text) * weight);
  }

  #digest(text: string): bigint {
    let digest = this.#digests.get(text);
    if (digest === undefined) {
      digest = hash('sha256', this.sums.key + text, 'buffer').readBigInt64BE(0);
      if (this.#digests.size >= CACHED) this.#digests.clear();
      this.#digests.set(text, digest);
    }
    return digest;
  }
}
