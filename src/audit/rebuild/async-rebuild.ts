import { Injectable } from '@nestjs/common';
import { Client } from 'pg';
import { type AsyncProjection, EventLog, toRecorded } from '../../event-store/index.js';
import { distributeLike } from '../../platform/distribution/index.js';
import { LogReader, type ScannedEvent } from '../log-reader.js';

/** Where a projection is built before it takes over. */
const SCHEMA = 'rebuild';
const ROLE = 'payments_service';
/** Fewer events than these are caught up with under the locks that the take-over needs. */
const CLOSE = 500n;

interface Reached {
  readonly partition: number;
  position: bigint;
}

/**
 * Builds an async projection anew beside the live one, catches up while the service runs, and lets the new tables
 * take the old ones' place. Only tables are touched that the projection alone writes: nothing is sent, and no
 * intention is written. Needs the database's owner.
 */
@Injectable()
export class AsyncRebuild {
  constructor(
    private readonly log: EventLog,
    private readonly reader: LogReader,
  ) {}

  /** @returns how many events went into it */
  async rebuild(projection: AsyncProjection, databaseUrl: string, onProgress: (done: bigint, total: bigint) => void) {
    const client = new Client({ connectionString: databaseUrl, application_name: 'payments rebuild' });
    await client.connect();
    try {
      // What is not there yet after a crash is built again; the take-over itself is durable.
      await client.query('set synchronous_commit to off');
      await makeTables(client, projection);
      const reached: Reached[] = [...(await this.log.heads()).keys()].map((partition) => ({ partition, position: 0n }));
      while (!(await this.#catchUp(client, projection, reached, onProgress)));
      await this.#takeOver(client, projection, reached);
      return reached.reduce((sum, { position }) => sum + position, 0n);
    } finally {
      await client.end();
    }
  }

  /** @returns whether what is left is little enough to be done under locks */
  async #catchUp(
    client: Client,
    projection: AsyncProjection,
    reached: readonly Reached[],
    onProgress: (done: bigint, total: bigint) => void,
  ): Promise<boolean> {
    const heads = await this.log.heads();
    const total = [...heads.values()].reduce((sum, size) => sum + size, 0n);
    let left = 0n;
    for (const one of reached) {
      const target = heads.get(one.partition) ?? 0n;
      left += target - one.position;
      for await (const page of this.reader.pages(one.partition, one.position, target)) {
        await apply(client, projection, one, page);
        onProgress(
          reached.reduce((sum, { position }) => sum + position, 0n),
          total,
        );
      }
    }
    return left < CLOSE;
  }

  /** In one transaction: the follower is stopped by its own marks' locks, the rest is caught up with, the tables change. */
  async #takeOver(client: Client, projection: AsyncProjection, reached: readonly Reached[]): Promise<void> {
    await client.query('set synchronous_commit to on');
    await client.query('begin');
    try {
      for (const one of reached) {
        const { rows } = await client.query<{ position: string }>(
          'select position from subscription where partition = $1 and consumer = $2 for update',
          [one.partition, projection.name],
        );
        if (!rows[0]) continue;
        for await (const page of this.reader.pages(one.partition, one.position, BigInt(rows[0].position))) {
          await applyInTransaction(client, projection, one, page);
        }
      }
      await client.query('set local search_path to public');
      for (const table of projection.tables) {
        const names = await indexNames(client, 'public', table);
        await client.query(`drop table public.${table}`);
        await client.query(`alter table ${SCHEMA}.${table} set schema public`);
        await renameIndexes(client, table, names);
      }
      // Where it was ahead of the live follower's mark, the mark moves on with it.
      for (const { partition, position } of reached) {
        await client.query(
          `insert into subscription (partition, consumer, position) values ($1, $2, $3)
           on conflict (partition, consumer) do update set position = excluded.position`,
          [partition, projection.name, position],
        );
      }
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
    await client.query(`drop schema ${SCHEMA}`);
  }
}

async function makeTables(client: Client, { tables }: AsyncProjection): Promise<void> {
  await client.query(`drop schema if exists ${SCHEMA} cascade`);
  await client.query(`create schema ${SCHEMA}`);
  for (const table of tables) {
    await client.query(`create table ${SCHEMA}.${table} (like public.${table} including all)`);
    await client.query(`grant select, insert, update, delete on ${SCHEMA}.${table} to ${ROLE}`);
    await distributeLike(client, `${SCHEMA}.${table}`, `public.${table}`);
  }
}

async function apply(client: Client, projection: AsyncProjection, one: Reached, page: readonly ScannedEvent[]) {
  await client.query('begin');
  try {
    await applyInTransaction(client, projection, one, page);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

/** The projection's own statements, over the events that it handles, with its tables found in the other schema first. */
async function applyInTransaction(
  client: Client,
  projection: AsyncProjection,
  one: Reached,
  page: readonly ScannedEvent[],
): Promise<void> {
  const { handles } = projection;
  const events = page.filter(({ type }) => !handles || handles.has(type)).map(toRecorded);
  if (events.length > 0) {
    await client.query(`set local search_path to ${SCHEMA}, public`);
    await projection.handle(client as never, one.partition, events);
  }
  one.position = page.at(-1)!.position;
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
