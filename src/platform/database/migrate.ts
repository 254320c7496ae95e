import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { AbstractLogger, DataSource } from 'typeorm';
import { migrations } from '../../../migrations/index.js';
import { isDistributed, placeTables, settle } from '../distribution/index.js';
import { SERVICE_ROLE } from './connection-settings.js';
import { isAway, MIGRATION_LOCK, MIGRATIONS_TABLE, missingMigrations } from './migrated.js';
import { ownerClient, ownerUrl } from './owner-client.js';

/** While a statement waits for a table, everybody who comes later waits behind it: so it waits shortly, and again. */
const LOCK_MS = 3_000;
const ATTEMPTS = 10;
const PAUSE_MS = 5_000;

export interface MigrationSettings {
  readonly url: string;
  /** Partitions that partners are put on, numbered from 1; partition 0 is the registry's. */
  readonly partitions: number;
  /** Told each time that it begins to wait before it tries again. @param what a migration, with its statement */
  readonly onWaiting?: (what: string) => void;
  /** Told each partition that has events and no head: none is made, and it takes no command. */
  readonly onHeadGone?: (partition: number) => void;
}

/** The result of `migrate`; both are empty if another instance was faster, or nothing was left to do. */
export interface Migrated {
  /** Names of the migrations that were applied, in order. */
  readonly applied: readonly string[];
  /** Partitions that were created. */
  readonly partitions: readonly number[];
}

/** The database's user lacks the rights of its owner. */
export class MayNotMigrate extends Error {
  override readonly name = 'MayNotMigrate';

  constructor(user: string) {
    super(
      `The database's user ${user} may not migrate it. Let MIGRATION_DATABASE_URL name its owner, for \`ledger migrate\` ` +
        'alone, and start the service with MIGRATE_AT_START=false.',
    );
  }
}

/** The database was never migrated, and cannot be. */
export class DatabaseUnfit extends Error {
  override readonly name = 'DatabaseUnfit';

  constructor(why: string) {
    super(`${why} Nothing was changed. Let DATABASE_URL name a database of its own.`);
  }
}

/** A table was in use whenever it was to be changed. */
export class TableInUse extends Error {
  override readonly name = 'TableInUse';

  /** @param what was to be done */
  constructor(what: string, cause: unknown) {
    super(
      `${what} waits for a table that another session's transaction uses. It was tried ${ATTEMPTS} times, for ` +
        `${LOCK_MS / 1000} s each, so that the service's own statements do not wait behind it; what was not finished ` +
        'is undone. Look for a dump, a report or a forgotten transaction: `select pid, application_name, xact_start ' +
        'from pg_stat_activity where xact_start is not null order by xact_start`. Wait for it or end it; then try again.',
      { cause },
    );
  }
}

/**
 * Migrates the schema, distributes tables on a distributed database, and creates the head rows of missing partitions.
 * Safe for several instances at once: they wait for one another. Needs the database's owner.
 * @param apply long-lived processes pass `applyOnThread`
 * @param pause milliseconds until what a lock was in the way of is tried again
 * @throws MayNotMigrate, DatabaseUnfit, TableInUse
 */
export async function migrate(
  { url, partitions, onWaiting, onHeadGone }: MigrationSettings,
  apply: typeof applyMigrations = applyMigrations,
  pause = PAUSE_MS,
): Promise<Migrated> {
  const lock = ownerClient(url, 'payments migrations', LOCK_MS);
  await lock.connect();
  try {
    await assertOwner(lock);
    // Another instance may take long.
    await lock.query('set lock_timeout to 0');
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await lock.query('reset lock_timeout');
    const missing = () => missingMigrations(async (statement) => (await lock.query<{ name: string }>(statement)).rows);
    const applied = await missing();
    if (applied.length === migrations.length) await assertFit(lock);
    for (let attempt = 1; ; attempt++) {
      try {
        if (applied.length > 0) await apply(ownerUrl(url, LOCK_MS));
        await placeTables(lock, partitions);
        // So that a start without the owner's rights can check the schema.
        await lock.query(`grant select on ${MIGRATIONS_TABLE} to ${SERVICE_ROLE}`);
        return { applied, partitions: await makePartitions(lock, partitions, onHeadGone) };
      } catch (error) {
        if (!isLockedOut(error)) throw error;
        const [next] = await missing();
        const what = next ? `${next}${statementOf(error)}` : 'Placing tables and partitions';
        if (attempt === ATTEMPTS) throw new TableInUse(what, error);
        onWaiting?.(what);
      }
      await sleep(pause);
    }
  } finally {
    await lock.end();
  }
}

/** No lock in time, or a deadlock with the service's statements, which may lock tables in another order. */
const LOCKED_OUT: readonly unknown[] = ['55P03', '40P01'];

/** By the code alone: an error of TypeORM is none of pg's, and one of another thread has no class. */
function isLockedOut(error: unknown): boolean {
  return LOCKED_OUT.includes((error as { code?: unknown }).code);
}

function statementOf(error: unknown): string {
  const { query } = error as { query?: unknown };
  return typeof query === 'string' ? ` (${query.trim().replace(/\s+/g, ' ').slice(0, 100)})` : '';
}

/** For logs and people. */
export function headGone(partition: number): string {
  return (
    `Partition ${partition} has events and no head: it takes no command, and no head was made. ` +
    'Put back that of a backup (docs/operations.md, HistoryAltered).'
  );
}

const MAKE_HEAD = `
  insert into log_head (partition, position, root, peaks, time)
  values ($1, 0, sha256(''::bytea), ''::bytea, to_timestamp(0))`;

/**
 * An empty head before events would make them rows beyond it, which nothing tells from planted ones: it is made only
 * where there are none.
 * @returns the created ones. A partition whose node is unavailable exists already.
 */
async function makePartitions(
  client: Client,
  highest: number,
  onHeadGone: MigrationSettings['onHeadGone'],
): Promise<number[]> {
  const isSpread = await isDistributed(client);
  const made: number[] = [];
  for (let partition = 0; partition <= highest; partition++) {
    const has = async (table: 'event' | 'log_head') =>
      (await client.query(`select from ${table} where partition = $1 limit 1`, [partition])).rowCount === 1;
    try {
      if (await has('log_head')) continue;
      if (await has('event')) {
        onHeadGone?.(partition);
        continue;
      }
      if (isSpread) await settle(client, partition, highest);
      await client.query(MAKE_HEAD, [partition]);
      made.push(partition);
    } catch (error) {
      if (!isSpread || !isAway(error)) throw error;
    }
  }
  return made;
}

/** @throws MayNotMigrate first: the server's own error would only name some table */
async function assertOwner(client: Client): Promise<void> {
  const { rows } = await client.query<{ user: string; owns: boolean | null }>(`
    select current_user as user, coalesce(
      (select pg_has_role(relowner, 'usage') from pg_class where oid = to_regclass('${MIGRATIONS_TABLE}')),
      has_schema_privilege(current_schema(), 'create')) as owns`);
  if (!rows[0]!.owns) throw new MayNotMigrate(rows[0]!.user);
}

/** @throws DatabaseUnfit before the first migration: those before the one that fails would stay */
async function assertFit(client: Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; tables: string[] }>(`
    select current_setting('server_encoding') as encoding, array(
      select relname::text from pg_class
      where relnamespace = to_regnamespace(current_schema()::text)
        and relname in ('account', 'event', 'partner', 'transaction')
      order by relname) as tables`);
  const { encoding, tables } = rows[0]!;
  if (tables.length > 0) {
    const names = tables.join(', ');
    throw new DatabaseUnfit(
      `The database is another application's: it has ${names}, and was never migrated by this service.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new DatabaseUnfit(`The database has the encoding ${encoding}, and must have UTF8.`);
  }
}

/** TypeORM would print a failed migration into the service's log, as no line of it is. Its error tells all of that. */
class Silent extends AbstractLogger {
  protected writeLog(): void {}
}

/** @returns the names of the applied ones, in order */
export async function applyMigrations(url: string): Promise<string[]> {
  const source = new DataSource({
    type: 'postgres',
    url,
    migrations,
    migrationsTableName: MIGRATIONS_TABLE,
    logger: new Silent(),
  });
  await source.initialize();
  try {
    return (await source.runMigrations({ transaction: 'each' })).map(({ name }) => name);
  } finally {
    await source.destroy();
  }
}
