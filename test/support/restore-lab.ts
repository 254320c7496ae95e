import { spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type EmbeddedServer, startEmbeddedPostgres } from '@partner-payments/embedded-postgres';
import pg from 'pg';
import { eventually } from './eventually.js';

const DATABASE = 'payments';

/** A PostgreSQL of its own that archives its log, as one that can be restored to a moment must. */
export interface ArchivingServer {
  readonly server: EmbeddedServer;
  /** A base backup. */
  backUp(): Promise<BaseBackup>;
  /** Waits until the archive has everything up to now. */
  archiveRest(): Promise<void>;
  /** Stops it and removes everything, the restored servers too. */
  remove(): Promise<void>;
}

export interface BaseBackup {
  /** A server in which everything after `moment` has never happened. */
  restoreTo(moment: Date): Promise<EmbeddedServer>;
}

export async function startArchiving(): Promise<ArchivingServer> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'restore-')));
  // As root, the server runs as another user, who must get in and write the archive.
  await chmod(folder, 0o755);
  const archive = join(folder, 'archive');
  await mkdir(archive);
  await chmod(archive, 0o777);
  const dataDir = join(folder, 'live');
  // Renamed when whole, so that what is seen there can be read.
  const archiveCommand = `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`;
  const settings = { archive_mode: 'on', archive_command: archiveCommand };
  const servers = [await startEmbeddedPostgres({ dataDir, database: DATABASE, settings })];
  const [live] = servers as [EmbeddedServer];
  let restored = 0;
  return {
    server: live,
    backUp: async () => {
      const base = join(folder, 'base');
      await copyRunning(live.url, base);
      return {
        restoreTo: async (moment) => {
          const target = join(folder, `restored-${++restored}`);
          await mkdir(target);
          await copyCluster(base, join(target, 'postgres'));
          await writeFor(join(target, 'postgres'), 'recovery.signal', '');
          const server = await startEmbeddedPostgres({
            dataDir: target,
            database: DATABASE,
            settings: {
              restore_command: `cp ${archive}/%f %p`,
              // Not `Z`: abbreviations of zones are not known yet where this is read.
              recovery_target_time: moment.toISOString().replace('Z', '+00'),
              recovery_target_action: 'promote',
            },
          });
          servers.push(server);
          await withClient(server.url, (client) =>
            eventually(async () => !(await client.query('select pg_is_in_recovery() as it')).rows[0]!.it),
          );
          return server;
        },
      };
    },
    archiveRest: () =>
      withClient(live.url, async (client) => {
        const { rows } = await client.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
        await eventually(async () => (await readdir(archive)).includes(rows[0]!.file));
      }),
    remove: async () => {
      for (const server of servers) await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Copies a running cluster by PostgreSQL's low-level interface (manual 26.3.4): the npm package ships no pg_basebackup.
 */
export function copyRunning(url: string, target: string): Promise<void> {
  return withClient(url, async (client) => {
    await client.query(`select pg_backup_start('base', true)`);
    await copyCluster(await clusterOf(client), target);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    await writeFor(target, 'backup_label', rows[0]!.labelfile);
  });
}

export async function clusterOf(client: pg.Client): Promise<string> {
  return (await client.query<{ data_directory: string }>('show data_directory')).rows[0]!.data_directory;
}

/**
 * Owners and modes too. Files that vanish while they are copied are none that count (manual 26.3.4.2), and neither is
 * what cp says of them: whether the copy is good, the server that starts on it shows.
 */
async function copyCluster(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  const child = spawn('cp', ['-a', from, to], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('close', resolve));
  for (const name of ['postmaster.pid', 'postmaster.opts']) await rm(join(to, name), { force: true });
  for (const name of await readdir(join(to, 'pg_wal'))) {
    if (/^[0-9A-F]{24}/.test(basename(name))) await rm(join(to, 'pg_wal', name), { force: true });
  }
}

/** A file of the cluster's owner. */
export async function writeFor(cluster: string, name: string, text: string): Promise<void> {
  const { uid, gid } = await stat(cluster);
  await writeFile(join(cluster, name), text);
  await chown(join(cluster, name), uid, gid);
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What the sandbox's bank has in its books, to be given to a ledger that was restored: a real bank forgets nothing. */
export type BankBooks = ReadonlyMap<string, readonly unknown[]>;

const TABLES = ['charge', 'payment_in', 'payment_out', 'refund_out', 'refund_in', 'task'];

export function readBankBooks(url: string): Promise<BankBooks> {
  return withClient(url, async (client) => {
    const books = new Map<string, unknown[]>();
    for (const table of TABLES) {
      const { rows } = await client.query<{ row: unknown }>(`select row_to_json(t) as row from sandbox.${table} t`);
      books.set(
        table,
        rows.map(({ row }) => row),
      );
    }
    return books;
  });
}

export function writeBankBooks(url: string, books: BankBooks): Promise<void> {
  return withClient(url, async (client) => {
    for (const [table, rows] of books) {
      await client.query(`truncate sandbox.${table} cascade`);
      await client.query(
        `insert into sandbox.${table} select * from json_populate_recordset(null::sandbox.${table}, $1)`,
        [JSON.stringify(rows)],
      );
    }
  });
}
