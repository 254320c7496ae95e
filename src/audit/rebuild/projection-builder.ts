import { Client } from 'pg';
import type { AsyncProjection, RecordedEvent } from '../../event-store/index.js';
import { distributeLike } from '../../platform/distribution/index.js';

/** Where projections are built before they take over. */
const SCHEMA = 'rebuild';
const ROLE = 'payments_service';

/** Events of a partition from the first to the last, in order. */
export interface Page {
  readonly partition: number;
  readonly events: readonly RecordedEvent[];
  /** Position of the last event that was looked at. */
  readonly upTo: bigint;
}

/** Makes room for what is built; of an earlier run that ended in the middle nothing is left. */
export async function makeSchema(client: Client): Promise<void> {
  await client.query(`drop schema if exists ${SCHEMA} cascade`);
  await client.query(`create schema ${SCHEMA}`);
}

export async function dropSchema(client: Client): Promise<void> {
  await client.query(`drop schema ${SCHEMA}`);
}

/** One async projection that is built anew in tables of its own. */
export class ProjectionBuilder {
  readonly client: Client;
  readonly #reached = new Map<number, bigint>();

  constructor(
    readonly projection: AsyncProjection,
    databaseUrl: string,
  ) {
    this.client = new Client({ connectionString: databaseUrl, application_name: 'payments rebuild' });
  }

  async open(): Promise<void> {
    await this.client.connect();
    // What is not there yet after a crash is built again; the take-over itself is durable.
    await this.client.query('set synchronous_commit to off');
  }

  async makeTables(): Promise<void> {
    const { client } = this;
    for (const table of this.projection.tables) {
      await client.query(`create table ${SCHEMA}.${table} (like public.${table} including all)`);
      await client.query(`grant select, insert, update, delete on ${SCHEMA}.${table} to ${ROLE}`);
      await distributeLike(client, `${SCHEMA}.${table}`, `public.${table}`);
    }
  }

  async apply(page: Page): Promise<void> {
    await this.#inTransaction(() => this.#applyHere(page));
  }

  /**
   * In one transaction: the follower is stopped by its own marks' locks, the rest is caught up with, the tables change.
   * That is for all partitions: one that was empty until now may have been followed meanwhile.
   * @param pages the events of a partition after a position and up to another
   */
  async takeOver(pages: (partition: number, after: bigint, to: bigint) => AsyncIterable<Page>): Promise<void> {
    const { client, projection } = this;
    await client.query('set synchronous_commit to on');
    await this.#inTransaction(async () => {
      const heads = await client.query<{ partition: number }>('select partition from log_head order by partition');
      for (const { partition } of heads.rows) {
        const mark = await this.#lockMark(partition);
        const after = this.#reached.get(partition) ?? 0n;
        for await (const page of pages(partition, after, mark)) await this.#applyHere(page);
      }
      await client.query('set local search_path to public');
      for (const table of projection.tables) {
        const names = await indexNames(client, 'public', table);
        await client.query(`drop table public.${table}`);
        await client.query(`alter table ${SCHEMA}.${table} set schema public`);
        await renameIndexes(client, table, names);
      }
      // Where it was ahead of the live follower's mark, the mark moves on with it.
      for (const [partition, position] of this.#reached) {
        await client.query(
          `insert into subscription (partition, consumer, position) values ($1, $2, $3)
           on conflict (partition, consumer) do update set position = excluded.position`,
          [partition, projection.name, position],
        );
      }
    });
  }

  /** Made where there is none yet: the follower that would make it waits as well. @returns where it stands */
  async #lockMark(partition: number): Promise<bigint> {
    const key = [partition, this.projection.name];
    await this.client.query(
      `insert into subscription (partition, consumer, position) values ($1, $2, 0)
       on conflict (partition, consumer) do nothing`,
      key,
    );
    const { rows } = await this.client.query<{ position: string }>(
      'select position from subscription where partition = $1 and consumer = $2 for update',
      key,
    );
    return BigInt(rows[0]!.position);
  }

  async #inTransaction(work: () => Promise<void>): Promise<void> {
    await this.client.query('begin');
    try {
      await work();
      await this.client.query('commit');
    } catch (error) {
      await this.client.query('rollback');
      throw error;
    }
  }

  /** The projection's own statements, over the events that it handles, with its tables found in the other schema first. */
  async #applyHere({ partition, events, upTo }: Page): Promise<void> {
    const { handles } = this.projection;
    const its = handles ? events.filter(({ type }) => handles.has(type)) : events;
    if (its.length > 0) {
      await this.client.query(`set local search_path to ${SCHEMA}, public`);
      await this.projection.handle(this.client as never, partition, its);
    }
    this.#reached.set(partition, upTo);
  }
}

/** Names of a table's indexes by what they index. */
async function indexNames(client: Client, schema: string, table: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, regexp_replace(indexdef, '^CREATE (UNIQUE )?INDEX \\S+ ON \\S+', '\\1') as definition
     from pg_indexes where schemaname = $1 and tablename = $2`,
    [schema, table],
  );
  return new Map(rows.map(({ name, definition }) => [definition, name]));
}

/** Names as the migrations gave them, so that a later one finds them. */
async function renameIndexes(client: Client, table: string, names: ReadonlyMap<string, string>): Promise<void> {
  for (const [definition, name] of await indexNames(client, 'public', table)) {
    const old = names.get(definition);
    if (old && old !== name) await client.query(`alter index public.${name} rename to ${old}`);
  }
}
