import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { serviceConnection } from '../../src/platform/database/connection-settings.js';
import { migrate } from '../../src/platform/database/index.js';
import { eventually } from '../support/eventually.js';

const SCRIPT = resolve('../shared/citus/cluster.sh');
const LANE = { statementTimeout: 5_000, lockTimeout: 4_000, idleInTransaction: 5_000 };
/** Moves nothing and locks the head, as a lane does. */
const LOCK = 'update log_head set corrections = corrections where partition = $1';

const directory = join(tmpdir(), `cluster-${process.pid}`);
let url: string;
/** One whose shard is on a worker. */
let partition: number;

const cluster = (command: string, ...more: string[]) =>
  execFileSync('bash', [SCRIPT, command, directory, ...more], { encoding: 'utf8' });

/** A session of the service at the coordinator. */
async function session(): Promise<pg.Client> {
  const client = new pg.Client(serviceConnection(url, 'test', LANE));
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

// Needs root and the cluster for tests: where they are not, there is nothing to be tried.
(existsSync(SCRIPT) ? describe : describe.skip)('a lock on a node', () => {
  beforeAll(async () => {
    url = cluster('up', '2').trim().split('\n').at(-1)!;
    await migrate({ url, partitions: 8 });
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    const { rows } = await owner.query<{ partition: number }>(`
      select partition from log_head, pg_dist_placement p join pg_dist_node n using (groupid)
      where p.shardid = get_shard_id_for_distribution_column('log_head', partition) and n.groupid > 0
      order by partition limit 1`);
    partition = rows[0]!.partition;
    await owner.end();
  }, 90_000);

  afterAll(() => void cluster('down'), 30_000);

  it('does not outlive a coordinator that went silent', async () => {
    const silent = await session();
    await silent.query('begin');
    await silent.query(LOCK, [partition]);
    const { rows } = await silent.query<{ pid: number }>('select pg_backend_pid() as pid');
    const other = await session();
    // Its connections stay open and say nothing more; the limits of the session at the coordinator do not run either.
    process.kill(rows[0]!.pid, 'SIGSTOP');
    try {
      await expect(other.query(LOCK, [partition])).rejects.toThrow(/timeout/);
      await eventually(() => other.query(LOCK, [partition]), { within: 30_000 });
    } finally {
      process.kill(rows[0]!.pid, 'SIGCONT');
      await Promise.all([silent.end(), other.end()]);
    }
  }, 60_000);
});
