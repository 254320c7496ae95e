import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedServer, findEmbeddedPostgres, startEmbeddedPostgres } from '../src/index.ts';
import { findPostmaster, stopPostmaster } from '../src/postmaster.ts';
import { DATABASE } from '../testing/database.ts';
import { ownerProcess, type OwnerOptions, type OwnerProcess } from '../testing/owner-process.ts';

const folders: string[] = [];
const owners: OwnerProcess[] = [];

/** A folder of the test's own; `mode` as it is without a word, 0755, lets the server's user of a root test pass. */
export function newFolder(mode = 0o755): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'embedded-postgres-')));
  chmodSync(folder, mode);
  folders.push(folder);
  return folder;
}

/** A data folder that does not exist yet. */
export function newDataDir(mode?: number): string {
  return join(newFolder(mode), 'data');
}

let made: Promise<string> | undefined;

/** A data folder with a cluster whose server is stopped: a copy, as the making of one takes a second. */
export async function madeDataDir(): Promise<string> {
  made ??= makeCluster();
  const dataDir = newDataDir();
  execFileSync('cp', ['-a', await made, dataDir]);
  return dataDir;
}

async function makeCluster(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
  chmodSync(folder, 0o755);
  const server = await start(join(folder, 'data'));
  await server.stop();
  return join(folder, 'data');
}

/** For `afterAll`: the cluster that was copied goes too. */
export async function removeMade(): Promise<void> {
  if (made) rmSync(dirname(await made), { recursive: true, force: true });
}

/** As a process of `owner` does. */
export function start(dataDir: string, settings?: Record<string, string>): Promise<EmbeddedServer> {
  return startEmbeddedPostgres({ dataDir, database: DATABASE, settings });
}

export function find(dataDir: string): Promise<string | undefined> {
  return findEmbeddedPostgres({ dataDir, database: DATABASE });
}

/** A process that owns the server of a data folder; killed at the end of the test at the latest. */
export function owner(dataDir: string, options?: OwnerOptions): OwnerProcess {
  const started = ownerProcess(dataDir, options);
  owners.push(started);
  return started;
}

/** PGDATA of a data folder: inside it, or where its pointer says. */
export function clusterIn(dataDir: string): string {
  const state = join(dataDir, 'postgres.json');
  const { cluster } = existsSync(state) ? (JSON.parse(readFileSync(state, 'utf8')) as { cluster?: string }) : {};
  return cluster ?? join(dataDir, 'postgres');
}

/** For `afterEach`: nothing of the test is left, neither process, server nor folder. */
export async function cleanUp(): Promise<void> {
  for (const started of owners.splice(0)) await started.kill();
  for (const folder of folders.splice(0)) {
    const cluster = clusterIn(join(folder, 'data'));
    const left = await findPostmaster(cluster);
    if (left) await stopPostmaster(cluster, left);
    rmSync(dirname(cluster), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function query<T extends pg.QueryResultRow>(url: string | undefined, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`in vain: ${what}`);
    await delay(5);
  }
}
