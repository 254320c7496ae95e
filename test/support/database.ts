import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** Where the tests run on a cluster: its servers, the coordinator first, and a distributed database on each to copy. */
export const CLUSTER = process.env.TEST_CITUS_SERVERS
  ? (JSON.parse(process.env.TEST_CITUS_SERVERS) as { readonly servers: string[]; readonly template: string })
  : undefined;

export interface TestDatabase {
  readonly url: string;
  /** Runs SQL as the database's owner. */
  query<Row extends pg.QueryResultRow = pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
  /** Leaves it to others, without a connection of this process. */
  release(): Promise<void>;
}

/**
 * A new database without rows. It has the schema already, a copy of what global-setup migrated once: a migration of its
 * own would take a quarter of a service's start.
 * @param server the run's PostgreSQL, or another one: there it is empty
 * @param template `template1` is empty, for tests of migrations; `template0` leaves out, too, what the server puts into
 *   every new database (an extension, say). On a cluster `template1` is distributed, with the schema
 */
export async function createDatabase({
  server,
  template,
}: { server?: string; template?: 'template0' | 'template1' } = {}): Promise<TestDatabase> {
  const name = `${process.env.TEST_RUN ?? 't'}_${randomBytes(6).toString('hex')}`;
  const cluster = template !== 'template0' && server === undefined ? CLUSTER : undefined;
  const own = server ?? process.env.TEST_POSTGRES_URL!;
  const servers = cluster?.servers ?? [own];
  const migrated = server === undefined ? process.env.TEST_POSTGRES_TEMPLATE : undefined;
  const from = cluster ? `${cluster.template} strategy file_copy` : (template ?? migrated ?? 'template1');
  for (const one of servers) await once(one, `create database ${name} template ${from}`);
  const url = new URL(own);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  pool.on('error', () => undefined);
  return {
    url: url.href,
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
    release: () => pool.end(),
    drop: async () => {
      await pool.end();
      for (const one of servers) await once(one, `drop database ${name} with (force)`);
    },
  };
}

async function once(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
