import type { PipelinedStatement } from '@partner-payments/pg-pipeline';
import type { QueryResultRow } from 'pg';
import { Coalesced } from './coalesced.js';
import type { Database } from './database.js';

/**
 * Reads rows of a partition by a key: those that are asked for while others are being read share one statement. Each
 * read begins after it was asked for, so it shows whatever was committed before.
 */
export class KeyedReads<Row> {
  readonly #partitions = new Map<number, Coalesced<string, Row | undefined>>();

  constructor(
    private readonly database: Database,
    private readonly load: (partition: number, keys: readonly string[]) => PipelinedStatement,
    private readonly parse: (row: QueryResultRow) => Row,
    private readonly keyOf: (row: Row) => string,
  ) {}

  /** @throws as `Database.lookUp` */
  find(partition: number, key: string): Promise<Row | undefined> {
    let reads = this.#partitions.get(partition);
    if (!reads) this.#partitions.set(partition, (reads = new Coalesced((keys) => this.#read(partition, keys))));
    return reads.run(key);
  }

  async #read(partition: number, keys: readonly string[]): Promise<(Row | undefined)[]> {
    const rows = await this.database.lookUp(this.load(partition, [...new Set(keys)]));
    const found = new Map(rows.map((row) => this.parse(row)).map((row) => [this.keyOf(row), row]));
    return keys.map((key) => found.get(key));
  }
}
