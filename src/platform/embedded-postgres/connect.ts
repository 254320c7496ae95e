import pg from 'pg';
import { SUPERUSER, superuserPassword } from './create-cluster.js';

/** The service's own database in the cluster. */
const DATABASE = 'payments';
/** PostgreSQL's maintenance database: what this folder does for itself stays out of the service's way there. */
const MAINTENANCE = 'postgres';

export async function urlOf(cluster: string, port: number, database = DATABASE): Promise<string> {
  return `postgres://${SUPERUSER}:${await superuserPassword(cluster)}@127.0.0.1:${port}/${database}`;
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

export async function ensureDatabase(maintenanceUrl: string): Promise<void> {
  const client = await connect(maintenanceUrl, 'embedded-postgres');
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
}
