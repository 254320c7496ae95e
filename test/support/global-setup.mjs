import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@partner-payments/embedded-postgres';
import pg from 'pg';
import { COMPILED, SOURCES } from '../../scripts/inputs.mjs';
import { isFresh } from '../../scripts/when-changed.mjs';

/**
 * One real PostgreSQL for the whole run; each test file makes databases in it. `DATABASE_URL` names a server that is
 * there already; without it one is started in a folder of its own.
 */
export default async function setUp() {
  if (!isFresh(SOURCES, COMPILED)) throw new Error('dist is not made of src as it is: run `npm run build` first.');
  // Services and CLIs are started a thousand times.
  globalThis.testCompileCache = process.env.NODE_COMPILE_CACHE = await mkdtemp(join(tmpdir(), 'payments-compiled-'));
  const given = process.env.DATABASE_URL;
  if (given) {
    await assertUsable(given);
    process.env.TEST_POSTGRES_URL = given;
    return;
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-test-'));
  await chmod(dataDir, 0o755); // so that, as root, the cluster stays inside it
  const server = await startEmbeddedPostgres({ dataDir, database: 'payments', settings: { max_connections: '300' } });
  process.env.TEST_POSTGRES_URL = server.url;
  globalThis.stopTestPostgres = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

/** The tests make databases and roles, and play an attacker who owns the server; two files run at once. */
async function assertUsable(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(`
      select rolsuper as super, current_setting('max_connections')::int as connections,
        current_setting('server_version_num')::int / 10000 as version
      from pg_roles where rolname = current_user`);
    const { super: isSuper, connections, version } = rows[0];
    if (!isSuper) throw new Error('DATABASE_URL: the tests need a superuser of a server that is theirs alone.');
    if (connections < 200)
      throw new Error('DATABASE_URL: the tests need a server with max_connections of 200 or more.');
    if (version < 15) throw new Error('DATABASE_URL: the service needs PostgreSQL 15 or later.');
  } finally {
    await client.end();
  }
}
