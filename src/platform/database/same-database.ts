import { randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import { ownerClient } from './owner-client.js';

/** `MIGRATION_DATABASE_URL` names another database than `DATABASE_URL`. */
export class DatabasesDiffer extends Error {
  override readonly name = 'DatabasesDiffer';

  constructor() {
    super(
      'MIGRATION_DATABASE_URL and DATABASE_URL name different databases: what was read in one would be written in the ' +
        'other. Nothing was changed.',
    );
  }
}

/**
 * Asks the databases themselves: one has many addresses. An advisory lock is of one database, and a standby has locks
 * of its own: what is read there may be behind.
 * @throws DatabasesDiffer
 */
export async function assertSameDatabase(url: string, ownersUrl: string): Promise<void> {
  const key = randomBytes(8).readBigInt64BE();
  const [owner, other] = [ownersUrl, url].map((one) => ownerClient(one, 'ledger')) as [Client, Client];
  try {
    await owner.connect();
    await owner.query('begin');
    await owner.query('select pg_advisory_xact_lock($1)', [key]);
    await other.connect();
    const { rows } = await other.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [key]);
    if (rows[0]!.free) throw new DatabasesDiffer();
  } finally {
    await Promise.allSettled([owner.end(), other.end()]);
  }
}
