import type { Client } from 'pg';
import type { AsyncProjection, RecordedEvent } from '../../event-store/index.js';
import { type Database, HOLD_OFF_MIGRATIONS, ownerClient, SERVICE_ROLE } from '../../platform/database/index.js';
import { distributeLike } from '../../platform/distribution/index.js';
import { CommandRefused } from '../errors.js';
import { assertRebuildable } from '../own-version.js';

/** The schema of the new tables, until the swap. */
const SCHEMA = 'rebuild';
/** An arbitrary number: the advisory lock of the rebuild that the schema belongs to. */
const REBUILD_LOCK = 7_239_103;

/** Events of a partition from the first to the last, in order. */
export interface Page {
  readonly partition: number;
  readonly events: readonly RecordedEvent[];
  /** Position of the last event read. */
  readonly upTo: bigint;
}

/**
 * Makes the schema of the new tables, and removes what an interrupted run left. It belongs to this connection until
 * that ends.
 * @throws CommandRefused while it belongs to another
 */
export async function makeSchema(client: Client): Promise<void> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [REBUILD_LOCK]);
  if (!rows[0]!.taken) throw new CommandRefused('Another rebuild is under way on this database.');
  await client.query(`drop schema if exists ${SCHEMA} cascade`);
  await client.query(`create schema ${SCHEMA}`);
}

export async function dropSchema(client: Client): Promise<void> {
  await client.query(`drop schema ${SCHEMA}`);
}

/** Rebuilds one async projection in tables of its own. */
export class ProjectionBuilder {
  readonly client: Client;
  readonly #reached = new Map<number, bigint>();

  constructor(
    readonly projection: AsyncProjection,
    databaseUrl: string,
  ) {
    this.client = ownerClient(databaseUrl, 'payments rebuild');
  }

  async open(): Promise<void> {
    await this.client.connect();
    // After a crash the build starts again; the swap itself is durable.
    await this.client.query('set synchronous_commit to off');
  }

  async makeTables(): Promise<void> {
    const { client } = this;
    for (const table of this.projection.tables) {
      await client.query(
        `create table ${SCHEMA}.${table} (like public.${table} including all) ${await storageOf(client, table)}`,
      );
      await client.query(`grant select, insert, update, delete on ${SCHEMA}.${table} to ${SERVICE_ROLE}`);
      await distributeLike(client, `${SCHEMA}.${table}`, `public.${table}`);
    }
  }

  async apply(page: Page): Promise<void> {
    await this.#inTransaction(() => this.#applyPage(page));
  }

  /**
   * Replaces the live tables, in one transaction: locks on the checkpoints stop the live follower, the rest of the log
   * is applied, and the tables are swapped. All partitions are locked: one that was empty may have events by now.
   * @param pages the events of a partition after a position and up to another
   * @throws CommandRefused where the live tables were migrated meanwhile
   */
  async swap(
    database: Database,
    pages: (partition: number, after: bigint, to: bigint) => AsyncIterable<Page>,
  ): Promise<void> {
    const { client, projection } = this;
    await client.query('set synchronous_commit to on');
    await this.#inTransaction(async () => {
      await client.query(HOLD_OFF_MIGRATIONS);
      await assertRebuildable(database);
      const heads = await client.query<{ partition: number }>('select partition from log_head order by partition');
      for (const { partition } of heads.rows) {
        const checkpoint = await this.#lockCheckpoint(partition);
        const after = this.#reached.get(partition) ?? 0n;
        for await (const page of pages(partition, after, checkpoint)) await this.#applyPage(page);
      }
      await client.query('set local search_path to public');
      for (const table of projection.tables) {
        const names = await indexNames(client, table);
        await client.query(`drop table public.${table}`);
        await client.query(`alter table ${SCHEMA}.${table} set schema public`);
        await renameIndexes(client, table, names);
      }
      // The follower's checkpoint moves to the position of the new tables, where they are ahead.
      for (const [partition, position] of this.#reached) {
        await client.query(
          `insert into subscription (partition, consumer, position) values ($1, $2, $3)
           on conflict (partition, consumer) do update set position = excluded.position`,
          [partition, projection.name, position],
        );
      }
    });
  }

  /** Inserts the checkpoint if it is missing, so that a follower about to insert it waits too. @returns its position */
  async #lockCheckpoint(partition: number): Promise<bigint> {
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
      // Where the connection is gone, the server rolls back; what is told is why.
      await this.client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  /**
   * Runs the projection's own statements over the events that it handles, with the new schema first in the search path.
   */
  async #applyPage({ partition, events, upTo }: Page): Promise<void> {
    const { handles } = this.projection;
    const handled = handles ? events.filter(({ type }) => handles.has(type)) : events;
    if (handled.length > 0) {
      await this.client.query(`set local search_path to ${SCHEMA}, public`);
      await this.projection.handle(this.client as never, partition, handled);
    }
    this.#reached.set(partition, upTo);
  }
}

/** The clause with a table's storage parameters, as its fill factor: `like` does not take them over. */
async function storageOf(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ options: string | null }>(
    `select array_to_string(reloptions, ', ') as options from pg_class where oid = $1::regclass`,
    [`public.${table}`],
  );
  return rows[0]?.options ? `with (${rows[0].options})` : '';
}

/** Names of a table's indexes by what they index. */
async function indexNames(client: Client, table: string): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, regexp_replace(indexdef, '^CREATE (UNIQUE )?INDEX \\S+ ON \\S+', '\\1') as definition
     from pg_indexes where schemaname = 'public' and tablename = $1`,
    [table],
  );
  return new Map(rows.map(({ name, definition }) => [definition, name]));
}

/** Restores the index names of the migrations, so that later migrations find them. */
async function renameIndexes(client: Client, table: string, names: ReadonlyMap<string, string>): Promise<void> {
  for (const [definition, name] of await indexNames(client, table)) {
    const old = names.get(definition);
    if (old && old !== name) await client.query(`alter index public.${name} rename to ${old}`);
  }
}
