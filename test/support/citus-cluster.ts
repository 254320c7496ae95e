import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { eventually } from './eventually.js';
import { runLedger } from './ledger-fixture.js';

const SCRIPT = '../shared/citus/cluster.sh';

/** Whether this machine has what a cluster for tests is made with. */
export const hasCluster = existsSync(SCRIPT);

const run = async (...args: string[]) => (await promisify(execFile)(SCRIPT, args)).stdout;

/** A coordinator and two workers, as processes of their own, with the service's tables spread over the workers. */
export class CitusCluster {
  private constructor(
    readonly url: string,
    readonly folder: string,
    private readonly owner: pg.Pool,
  ) {}

  static async start(partitions: number): Promise<CitusCluster> {
    const cluster = await CitusCluster.#up();
    const { url } = cluster;
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

  /** Three servers that know nothing of one another yet, with an empty database on each: the first one's is plain. */
  static async apart(): Promise<CitusCluster> {
    const cluster = await CitusCluster.#up();
    const onServer = (port: string, name: string) => {
      const address = new URL(cluster.#at(Number(port)));
      address.pathname = name;
      return address.href;
    };
    for (const node of ['coord', 'w1', 'w2']) {
      const port = (await readFile(join(cluster.folder, `${node}.port`), 'utf8')).trim();
      await once(onServer(port, 'postgres'), 'drop database payments with (force)');
      await once(onServer(port, 'postgres'), 'create database payments template template0');
      if (node !== 'coord') await once(onServer(port, 'payments'), 'create extension citus');
    }
    return cluster;
  }

  /** Makes one cluster of them. */
  async join(): Promise<void> {
    await this.query('create extension citus');
    for (const node of ['coord', 'w1', 'w2']) {
      const port = Number(await readFile(join(this.folder, `${node}.port`), 'utf8'));
      const add = node === 'coord' ? 'citus_set_coordinator_host' : 'citus_add_node';
      await this.query(`select ${add}('127.0.0.1', $1)`, [port]);
    }
  }

  /** One node more, without shards. @returns its name */
  async add(): Promise<string> {
    return (await run('add', this.folder)).trim().split('\n').at(-1)!;
  }

  static async #up(): Promise<CitusCluster> {
    const folder = join(tmpdir(), `payments-citus-${randomBytes(6).toString('hex')}`);
    const url = (await run('up', folder, '2')).trim().split('\n').at(-1)!;
    const owner = new pg.Pool({ connectionString: url, max: 2 });
    owner.on('error', () => undefined);
    return new CitusCluster(url, folder, owner);
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

  /** Has all say to nodes what they say through proxies. @returns those, by node */
  async putBehind<P extends { readonly url: string }>(proxyOf: (url: string) => Promise<P>): Promise<Map<string, P>> {
    const workers = await this.query<{ id: number; name: string; port: number }>(
      `select nodeid as id, 'w' || groupid as name, nodeport as port from pg_dist_node where groupid > 0`,
    );
    // Between nodes Citus encrypts by itself, and a proxy would not understand a word.
    await this.onEach(`alter system set citus.node_conninfo = 'sslmode=disable'`);
    await this.onEach('select pg_reload_conf()');
    const proxies = new Map<string, P>();
    for (const { id, name, port } of workers) {
      const proxy = await proxyOf(this.#at(port));
      await this.query('select citus_update_node($1, $2, $3)', [id, '127.0.0.1', Number(new URL(proxy.url).port)]);
      proxies.set(name, proxy);
    }
    return proxies;
  }

  /** Moves a partition's shards to another node, as `citus_rebalance_start` would. */
  async move(partition: number, to: string, mode: string): Promise<void> {
    await this.query(
      `select citus_move_shard_placement(
         get_shard_id_for_distribution_column('log_head', $1::int), f.nodename, f.nodeport, t.nodename, t.nodeport, $3::citus.shard_transfer_mode)
       from pg_dist_placement p
       join pg_dist_node f on f.groupid = p.groupid
       join pg_dist_node t on t.groupid = $2
       where p.shardid = get_shard_id_for_distribution_column('log_head', $1::int)`,
      [partition, Number(to.slice(1)), mode],
    );
  }

  /** Begins to count statements on every node, from nothing. */
  async countStatements(): Promise<void> {
    await this.onEach('create extension if not exists pg_stat_statements');
    await this.onEach('select pg_stat_statements_reset()');
  }

  /** Texts of the statements since that write to the ledger's tables, by node (`coord`, `w1` …). */
  async writesByNode(): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = await this.onEach(`
      select query from pg_stat_statements
      where query ~* '\\m(insert into|update|delete from)\\s+(public\\.)?(log_head|event|entry|account|idempotency|transaction|secret)'
        and query !~ 'position < '`);
    return new Map([...found].map(([node, rows]) => [node, rows.map(({ query }) => query as string)]));
  }

  #at(port: number): string {
    const address = new URL(this.url);
    address.port = String(port);
    return address.href;
  }

  /** On every node, the coordinator too, for that node alone. */
  async onEach(text: string): Promise<ReadonlyMap<string, pg.QueryResultRow[]>> {
    const nodes = await this.query<{ name: string; port: number }>(
      `select case groupid when 0 then 'coord' else 'w' || groupid end as name, nodeport as port from pg_dist_node`,
    );
    const answers = new Map<string, pg.QueryResultRow[]>();
    for (const { name, port } of nodes) {
      const client = new pg.Client({ connectionString: this.#at(port) });
      await client.connect();
      await client.query('set citus.enable_ddl_propagation to off');
      answers.set(name, (await client.query(text)).rows);
      await client.end();
    }
    return answers;
  }

  /** `ledger verify` through the coordinator. @throws what it found */
  async verify(settings: Record<string, string> = {}): Promise<void> {
    const { code, stdout, stderr } = await runLedger(['verify'], { DATABASE_URL: this.url, ...settings });
    if (code !== 0) throw new Error(stdout + stderr);
  }

  /** SIGKILL of all of a node's processes: its sessions would answer on for a moment without the first one. */
  async kill(node: string): Promise<void> {
    const [, ...children] = await this.#stopped(node);
    await run('kill', this.folder, node);
    for (const child of children) {
      try {
        process.kill(child, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    }
  }

  /**
   * Stops all of a node's processes where they are: its connections stay open and say nothing. @returns what ends it
   */
  async freeze(node: string): Promise<() => void> {
    const pids = await this.#stopped(node);
    const all = (signal: NodeJS.Signals) =>
      pids.forEach((pid) => {
        try {
          process.kill(pid, signal);
        } catch {
          // It has ended by itself.
        }
      });
    all('SIGSTOP');
    return () => all('SIGCONT');
  }

  async revive(node: string): Promise<void> {
    // Nobody may have collected the killed process yet, whose file would forbid a start; and a child that it had just
    // made ends by itself, a moment later, and keeps its memory until then.
    await eventually(
      async () => {
        await rm(join(this.folder, node, 'postmaster.pid'), { force: true });
        await run('start', this.folder, node);
        return true;
      },
      { every: 200 },
    ).catch(async () => {
      throw new Error((await readFile(join(this.folder, `${node}.log`), 'utf8')).slice(-1_500));
    });
  }

  /** Stops the first one, which then makes no more children. @returns it and its children */
  async #stopped(node: string): Promise<number[]> {
    const pid = (await readFile(join(this.folder, node, 'postmaster.pid'), 'utf8')).split('\n')[0]!;
    process.kill(Number(pid), 'SIGSTOP');
    const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
    return [pid, ...children].map(Number);
  }

  async stop(): Promise<void> {
    await this.owner.end();
    await run('down', this.folder);
  }
}

async function once(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}
