import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

const SCRIPT = '../shared/citus/cluster.sh';
const TEMPLATE = 'payments_template';

/**
 * One cluster for the whole run. `CITUS_DATABASE_URL` names a database at the coordinator of one that is there, whose
 * nodes take its superuser; without it one is started. Each test file copies a distributed database on every node.
 */
export default async function setUp() {
  const folder = join(tmpdir(), `payments-citus-${randomBytes(6).toString('hex')}`);
  const given = process.env.CITUS_DATABASE_URL;
  const url = given ?? run(SCRIPT, ['up', folder, '2']).trim().split('\n').at(-1);
  globalThis.stopTestPostgres = async () => {
    for (const server of servers) await drop(server);
    if (!given) run(SCRIPT, ['down', folder]);
    await rm(folder, { recursive: true, force: true });
  };
  const nodes = await query(
    url,
    'select nodename as host, nodeport as port, groupid from pg_dist_node order by groupid',
  );
  const servers = nodes.map(({ host, port }) => at(url, host, port, 'postgres'));
  for (const server of servers) {
    await drop(server);
    await query(server, `create database ${TEMPLATE}`);
    await query(withDatabase(server, TEMPLATE), 'create extension if not exists citus');
  }
  const template = withDatabase(servers[0], TEMPLATE);
  for (const { host, port, groupid } of nodes) {
    const add = groupid === 0 ? 'citus_set_coordinator_host' : 'citus_add_node';
    await query(template, `select ${add}('${host}', ${port})`);
  }
  run('node', ['dist/cli.js', 'distribute'], { DATABASE_URL: template });
  // Sessions of the extension itself would keep it from being copied.
  for (const server of servers) {
    await query(server, `alter database ${TEMPLATE} allow_connections false`);
    await query(server, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${TEMPLATE}'`);
  }
  process.env.TEST_POSTGRES_URL = servers[0];
  process.env.TEST_CITUS_SERVERS = JSON.stringify({ servers, template: TEMPLATE });
}

function run(command, args, env = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, ...env } });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  return stdout;
}

async function drop(server) {
  await query(server, `drop database if exists ${TEMPLATE} with (force)`);
}

function at(url, host, port, database) {
  const address = new URL(url);
  address.hostname = host;
  address.port = String(port);
  return withDatabase(address.href, database);
}

function withDatabase(url, database) {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

async function query(url, text) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
