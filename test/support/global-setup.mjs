import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@partner-payments/embedded-postgres';
import pg from 'pg';
import { COMPILED, SOURCES } from '../../scripts/inputs.mjs';
import { isFresh } from '../../scripts/when-changed.mjs';
import takeOnePriority from './one-priority.mjs';

const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * One real PostgreSQL for the whole run; each test file makes databases in it, copies of one that is migrated here.
 * `DATABASE_URL` names a server that is there already; without it one is started in a folder of its own.
 */
export default async function setUp() {
  if (!isFresh(SOURCES, COMPILED)) throw new Error('dist is not made of src as it is: run `npm run build` first.');
  takeOnePriority();
  const folder = await mkdtemp(join(tmpdir(), 'payments-run-'));
  globalThis.testRunFolder = process.env.TEST_RUN_FOLDER = folder;
  process.env.TEST_RUN = `t_${randomBytes(4).toString('hex')}`;
  // Services and CLIs are started a thousand times.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  const given = process.env.DATABASE_URL;
  if (given) {
    await assertUsable(given);
    globalThis.stopTestPostgres = () => dropDatabases(given);
    await makeTemplate(given);
    return;
  }
  const dataDir = await mkdtemp(join((await hasRoom(IN_MEMORY)) ? IN_MEMORY : tmpdir(), 'payments-test-'));
  await chmod(dataDir, 0o755); // so that, as root, the cluster stays inside it
  const server = await startEmbeddedPostgres({ dataDir, database: 'payments', settings: { max_connections: '300' } });
  globalThis.stopTestPostgres = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  // Jest tears nothing down at a signal, or where the set-up fails.
  const stopAndExit = () => void globalThis.stopTestPostgres().finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stopAndExit);
  await makeTemplate(server.url).catch(async (error) => {
    await globalThis.stopTestPostgres();
    throw error;
  });
}

/**
 * Whether the run's server fits there. The tests make and drop hundreds of databases of 400 files each: on ext4, which
 * searches all that was deleted in the last minutes for each new file, a database then takes half a second, in memory
 * 30 ms. What ends and kills servers and asks for their data afterwards has a server and a folder of its own.
 */
async function hasRoom(folder) {
  const { bavail, bsize } = await statfs(folder).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize >= ROOM_BYTES;
}

/** A database with the schema, and nothing else. Nobody may connect to it, or it could not be copied. */
async function makeTemplate(url) {
  const name = `${process.env.TEST_RUN}_template`;
  const { applyMigrations } = await import('../../dist/src/platform/database/migrate.js');
  await statements(url, [`create database ${name}`]);
  await applyMigrations(Object.assign(new URL(url), { pathname: `/${name}` }).href);
  await statements(url, [`alter database ${name} allow_connections false`]);
  process.env.TEST_POSTGRES_URL = url;
  process.env.TEST_POSTGRES_TEMPLATE = name;
}

/** What the run has left on a server that is not its own. */
async function dropDatabases(url) {
  const left = await statements(url, [
    `select datname as name from pg_database where starts_with(datname, '${process.env.TEST_RUN}')`,
  ]);
  await statements(
    url,
    left.map(({ name }) => `drop database ${name} with (force)`),
  );
}

/** @returns the rows of the last one */
async function statements(url, texts) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let rows = [];
    for (const text of texts) ({ rows } = await client.query(text));
    return rows;
  } finally {
    await client.end();
  }
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
