import { migrations } from '../../../migrations/index.js';
import type { Database } from './database.js';
import { sqlState } from './faults.js';
import { DatabaseUnavailable } from './server-pools.js';

export const MIGRATIONS_TABLE = 'schema_migration';
/** An arbitrary number: the advisory lock of all instances that migrate the same database. */
export const MIGRATION_LOCK = 7_239_101;
/** Waits for who migrates; nobody does then until the transaction ends. */
export const HOLD_OFF_MIGRATIONS = `select pg_advisory_xact_lock_shared(${MIGRATION_LOCK})`;
const APPLIED_MIGRATIONS = { text: `select name from ${MIGRATIONS_TABLE}` };

interface Applied {
  readonly name: string;
}

/** The database is behind this version of the service. */
export class NotMigrated extends Error {
  override readonly name = 'NotMigrated';

  /** @param hint at what else it may be: by default `MIGRATE_AT_START` is off */
  constructor(missing: string, hint = ' (MIGRATE_AT_START=false)') {
    super(`The database is not ready for this version: ${missing}. Run \`ledger migrate\` first${hint}.`);
  }
}

/** @returns names of this version's migrations that are not applied, in order */
export async function missingMigrations(
  query: (statement: { text: string }) => Promise<readonly Applied[]>,
): Promise<string[]> {
  return missingOf(await query(APPLIED_MIGRATIONS).catch(noneYet));
}

/**
 * Checks, with the rights of the service, that `migrate` has been run for this version and these settings. A database
 * that is ahead is accepted: migrations drop no table and no column, so that instances of two versions may run during
 * an upgrade.
 * @throws NotMigrated
 */
export async function assertMigrated(database: Database, partitions: number): Promise<void> {
  const missing = await missingMigrations((statement) => database.query(statement));
  if (missing.length > 0) throw new NotMigrated(lacks(missing));
  const [row] = await database
    .query({ text: 'select from log_head where partition = $1', values: [partitions] })
    .catch((error: unknown) => {
      if (isAway(error)) return [{}];
      throw error;
    });
  if (!row) throw new NotMigrated(`it has fewer than ${partitions} partitions`);
}

/**
 * For commands that take the tables to be of this version: a restored backup may be of before an upgrade. Who may not
 * read what was applied is not held up.
 * @returns migrations of a later version, which may have written what this one does not know
 * @throws NotMigrated
 */
export async function laterMigrations(database: Database): Promise<string[]> {
  const applied = await database
    .query<{ name: string }>(APPLIED_MIGRATIONS)
    .catch((error: unknown) => (sqlState(error) === '42501' ? undefined : noneYet(error)));
  if (!applied) return [];
  const missing = missingOf(applied);
  if (missing.length > 0) throw new NotMigrated(lacks(missing), ', or take the `ledger` of its version');
  const known = new Set(migrations.map(({ name }) => name));
  return applied.map(({ name }) => name).filter((name) => !known.has(name));
}

/** Whether a node is unavailable; the coordinator has answered. */
export function isAway(error: unknown): boolean {
  const cause = error instanceof DatabaseUnavailable ? error.cause : error;
  return sqlState(cause)?.startsWith('08') ?? false;
}

const lacks = (missing: readonly string[]) => `it lacks ${missing.join(', ')}`;

function missingOf(applied: readonly Applied[]): string[] {
  const done = new Set(applied.map(({ name }) => name));
  return migrations.map(({ name }) => name).filter((name) => !done.has(name));
}

function noneYet(error: unknown): Applied[] {
  // 42P01, 42501, and 22023 if even the service's role is missing: never migrated, or by another version.
  if (['42P01', '42501', '22023'].includes(sqlState(error) ?? '')) return [];
  throw error;
}
