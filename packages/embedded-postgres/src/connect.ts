import pg from 'pg';
import { SUPERUSER, superuserPassword } from './create-cluster.ts';

/** PostgreSQL's maintenance database: what this package does for itself stays out of the caller's way there. */
const MAINTENANCE = 'postgres';

export async function urlOf(cluster: string, port: number, database: string): Promise<string> {
  const password = await superuserPassword(cluster);
  return `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

export async function maintenanceUrlOf(cluster: string, port: number): Promise<string> {
  return urlOf(cluster, port, MAINTENANCE);
}

/** Connects, or throws; the caller ends the connection. `ssl` is given because pg else reads PGSSLMODE. */
export async function connect(url: string, applicationName: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ssl: false,
  });
  // A connection cut later shows in its `end` event; without a listener `error` would end the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

export async function ensureDatabase(maintenanceUrl: string, database: string): Promise<void> {
  const client = await connect(maintenanceUrl, 'embedded-postgres');
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}
