import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { migrations } from '../../../migrations/index.js';

/** Any number; all instances that migrate the same database take this lock. */
const MIGRATION_LOCK = 7_239_101;

export interface MigrationSettings {
  readonly url: string;
  /** Partitions that partners are put on, numbered from 1; partition 0 is the registry's. */
  readonly partitions: number;
}

/**
 * Brings the database to the newest schema and makes the head rows of missing partitions. Safe with several
 * instances starting at once: they wait for one another.
 */
export async function migrate({ url, partitions }: MigrationSettings): Promise<void> {
  const lock = new Client({ connectionString: url, application_name: 'payments migrations' });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const source = new DataSource({ type: 'postgres', url, migrations, migrationsTableName: 'schema_migration' });
    await source.initialize();
    try {
      await source.runMigrations({ transaction: 'each' });
    } finally {
      await source.destroy();
    }
    await lock.query(
      `insert into log_head (partition, position, root, peaks, time)
       select p, 0, sha256(''::bytea), ''::bytea, to_timestamp(0) from generate_series(0, $1) as p
       on conflict (partition) do nothing`,
      [partitions],
    );
  } finally {
    await lock.end();
  }
}
