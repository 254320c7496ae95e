import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { runLedger } from './ledger-fixture.js';

const SCRIPT = '../shared/citus/cluster.sh';

/** Whether this machine has what a cluster for tests is made with. */
export const hasCluster = existsSync(SCRIPT);

const run = async (...args: string[]) => (await promisify(execFile)(SCRIPT, args)).stdout;

/** A coordinator and two workers, as processes of their own, with the service's tables spread over the workers. */
export class CitusCluster {
  private constructor(
    readonly url: string,
    private readonly folder: string,
    private readonly owner: pg.Pool,
  ) {}

  static async start(partitions: number): Promise<CitusCluster> {
    const folder = join(tmpdir(), `payments-citus-${randomBytes(6).toString('hex')}`);
    const url = (await run('up', folder, '2')).trim().split('\n').at(-1)!;
    const owner = new pg.Pool({ connectionString: url, max: 2 });
    owner.on('error', () => undefined);
    const cluster = new CitusCluster(url, folder, owner);
    const { code, stderr } = await runLedger(['distribute'], {
      DATABASE_URL: url,
      LEDGER_PARTITIONS: String(partitions),
    });
    if (code !== 0) {
      await cluster.stop();
      throw new Error(stderr);
    }
    return cluster;
  }

  /** As the database's owner, at the coordinator. */
  async query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]> {
    return (await this.owner.query<Row>(text, values)).rows;
  }

  /** The worker (w1, w2) that each partition is on. */
  async nodes(): Promise<Map<number, string>> {
    const rows = await this.query<{ partition: number; node: string }>(`
      select l.partition, 'w' || (n.groupid) as node
      from log_head l
      join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('log_head', l.partition)
      join pg_dist_node n on n.groupid = p.groupid`);
    return new Map(rows.map(({ partition, node }) => [partition, node]));
  }

  /** SIGKILL of all of a node's processes: its sessions would answer on for a moment without the first one. */
  async kill(node: string): Promise<void> {
    const pid = (await readFile(join(this.folder, node, 'postmaster.pid'), 'utf8')).split('\n')[0]!;
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
    await run('kill', this.folder, node);
    for (const child of children) {
      try {
        process.kill(Number(child), 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
  }

  async revive(node: string): Promise<void> {
    // Nobody may have collected the killed process yet, whose file would forbid a start.
    await rm(join(this.folder, node, 'postmaster.pid'), { force: true });
    await run('start', this.folder, node);
  }

  async stop(): Promise<void> {
    await this.owner.end();
    await run('down', this.folder);
  }
}
