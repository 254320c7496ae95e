import { chmod, mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@partner-payments/embedded-postgres';
import { DatabaseProxy } from './database-proxy.js';
import { eventually } from './eventually.js';
import { clusterOf, copyRunning, withClient, writeFor } from './restore-lab.js';

const DATABASE = 'payments';
const SETTINGS = { wal_keep_size: '512MB' };

/** A PostgreSQL with a streaming standby, behind one address. */
export interface StandbyLab {
  /** Leads to the primary, and after a failover to what was the standby. */
  readonly url: string;
  /** From now on no commit is answered that the standby does not have on its disk. */
  makeSynchronous(): Promise<void>;
  /** The standby gets nothing any more, and has what it had. */
  cutOff(): Promise<void>;
  /** The primary dies at once, the standby is promoted, and the address leads there. */
  failOver(): Promise<void>;
  remove(): Promise<void>;
}

export async function startWithStandby(): Promise<StandbyLab> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'standby-')));
  // As root, the servers run as another user, who must get in.
  await chmod(folder, 0o755);
  const primary = await startEmbeddedPostgres({ dataDir: join(folder, 'a'), database: DATABASE, settings: SETTINGS });
  const stream = await DatabaseProxy.start(primary.url);
  await mkdir(join(folder, 'b'));
  const copy = join(folder, 'b', 'postgres');
  await copyRunning(primary.url, copy);
  await writeFor(copy, 'standby.signal', '');
  const { hostname, port, username, password } = new URL(stream.url);
  const source = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  const settings = { ...SETTINGS, primary_conninfo: source };
  const standby = await startEmbeddedPostgres({ dataDir: join(folder, 'b'), database: DATABASE, settings });
  const address = await DatabaseProxy.start(primary.url);
  const onPrimary = (sql: string) => withClient(primary.url, async (client) => (await client.query(sql)).rows);
  return {
    url: address.url,
    makeSynchronous: async () => {
      await onPrimary(`alter system set synchronous_standby_names = '*'`);
      await onPrimary('select pg_reload_conf()');
      const state = `select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`;
      await eventually(async () => (await onPrimary(state)).length === 1);
    },
    cutOff: async () => {
      stream.refuse(true);
      await eventually(async () => (await onPrimary('select from pg_stat_replication')).length === 0);
    },
    failOver: async () => {
      const lock = join(await withClient(primary.url, clusterOf), 'postmaster.pid');
      address.refuse(true);
      process.kill(Number.parseInt(await readFile(lock, 'utf8')), 'SIGQUIT');
      await withClient(standby.url, (client) => client.query('select pg_promote()'));
      address.leadTo(standby.url);
    },
    remove: async () => {
      await Promise.all([address.stop(), stream.stop()]);
      await Promise.all([primary.stop(), standby.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
