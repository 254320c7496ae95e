import { type Database, laterMigrations } from '../platform/database/index.js';
import { CommandRefused } from './errors.js';

/**
 * For commands that change what a later version may have made otherwise.
 * @param why what this version would do wrong
 * @throws NotMigrated; CommandRefused where a later version has migrated the database
 */
export async function assertOwnVersion(database: Database, command: string, why: string): Promise<void> {
  const later = await laterMigrations(database);
  if (later.length === 0) return;
  throw new CommandRefused(
    `A later version has migrated the database (${later.join(', ')}). Use its \`ledger ${command}\`: this one would ${why}.`,
  );
}

/** A migration may come while a rebuild runs: it is asked again, under the lock, before rows or tables are replaced. */
export function assertRebuildable(database: Database): Promise<void> {
  return assertOwnVersion(database, 'rebuild', 'take from rows what it does not know');
}
