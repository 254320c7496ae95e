import pg from 'pg';
import { sample } from '../test/support/metrics.ts';
import { offer } from './generator.ts';
import { cpuOf, cpuOfThread, serverCpu } from './processes.ts';
import { quiet } from './quiet.ts';
import type { BenchService } from './server.ts';
import type { Workload } from './workloads.ts';
import { isIndexEntry, isRow, type WrittenKind, WrittenLog } from './written.ts';

/** So many of a kind, with everything that follows them: statements, webhooks, the rail. */
const REQUESTS = 4_000;

/** Preloaded, and asked only while costs are measured. */
export const COST_SETTINGS = { shared_preload_libraries: 'pg_stat_statements' };

/** The statistics of statements are off until costs are measured: `pgbench` and the service would both pay for them. */
export async function withoutStatementStatistics(url: string): Promise<void> {
  await asSuperuser(url, async (client) => {
    await client.query(`alter system set pg_stat_statements.track = 'none'`);
    await client.query('select pg_reload_conf()');
  });
}

/** What one request costs, and what follows from it: microseconds of processor time, counts, and bytes of the log. */
export interface RequestCost {
  readonly name: string;
  readonly 'main thread µs': number;
  readonly 'garbage, pauses µs': number;
  readonly 'other threads µs': number;
  readonly 'PostgreSQL µs': number;
  readonly 'by its statements µs': number;
  readonly rows: number;
  readonly 'index entries': number;
  readonly blocks: number;
  readonly 'WAL bytes': number;
  readonly 'page images, bytes': number;
}

export interface Costs {
  readonly requests: readonly RequestCost[];
  /** Bytes of the log by table and index, for each of the requests. */
  readonly relations: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Measures some thousand requests of each workload, one workload after another. */
export async function costs(
  url: string,
  service: BenchService,
  plans: readonly (readonly [string, Workload])[],
): Promise<Costs> {
  const requests: RequestCost[] = [];
  const relations = new Map<string, ReadonlyMap<string, number>>();
  await asSuperuser(url, async (client) => {
    await client.query('create extension if not exists pg_stat_statements');
    await client.query(`alter system set pg_stat_statements.track = 'top'`);
    await client.query(`alter system set pg_stat_statements.track_planning = 'on'`);
    await client.query('select pg_reload_conf()');
    const databaseCpu = await serverCpu(url);
    const log = await WrittenLog.open(url);
    for (const [name, plan] of plans) {
      await quiet(url);
      const before = await used(client, service, databaseCpu);
      await log.start();
      await offer({ ...plan, url: service.url, amount: REQUESTS, seconds: 120 });
      await quiet(url);
      const now = await used(client, service, databaseCpu);
      const written = await log.read();
      requests.push({ name, ...processorTime(before, now), ...countsOf(written, now.blocks - before.blocks) });
      relations.set(name, bytesByRelation(written));
    }
    await log.close();
    await client.query(`alter system set pg_stat_statements.track = 'none'`);
    await client.query('select pg_reload_conf()');
  });
  return { requests, relations };
}

/** Milliseconds so far, and blocks. */
interface Used {
  readonly main: number;
  readonly whole: number;
  readonly garbage: number;
  readonly server: number;
  readonly statements: number;
  readonly blocks: number;
}

async function used(client: pg.Client, service: BenchService, databaseCpu: () => number): Promise<Used> {
  const pid = service.process.pid!;
  const scrape = await (await fetch(`${service.url}/metrics`)).text();
  const { rows } = await client.query<{ ms: number; blocks: string }>(`
    select coalesce(sum(total_plan_time + total_exec_time), 0) as ms,
      coalesce(sum(shared_blks_hit + shared_blks_read), 0) as blocks
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())`);
  return {
    main: cpuOfThread(pid, pid),
    whole: cpuOf(pid),
    garbage: 1_000 * sample(scrape, 'nodejs_gc_duration_seconds_sum').reduce((sum, seconds) => sum + seconds, 0),
    server: databaseCpu(),
    statements: rows[0]!.ms,
    blocks: Number(rows[0]!.blocks),
  };
}

const each = (total: number) => Number((total / REQUESTS).toFixed(1));
const eachMs = (ms: number) => each(ms * 1_000);

function processorTime(before: Used, now: Used) {
  const [main, whole] = [now.main - before.main, now.whole - before.whole];
  return {
    'main thread µs': eachMs(main),
    'garbage, pauses µs': eachMs(now.garbage - before.garbage),
    'other threads µs': eachMs(whole - main),
    'PostgreSQL µs': eachMs(now.server - before.server),
    'by its statements µs': eachMs(now.statements - before.statements),
  };
}

function countsOf(written: readonly WrittenKind[], blocks: number) {
  const sum = (of: (one: WrittenKind) => number) => each(written.reduce((total, one) => total + of(one), 0));
  return {
    rows: sum((one) => (isRow(one) ? one.records : 0)),
    'index entries': sum((one) => (isIndexEntry(one) ? one.records : 0)),
    blocks: each(blocks),
    'WAL bytes': sum(({ bytes }) => bytes),
    'page images, bytes': sum(({ imageBytes }) => imageBytes),
  };
}

function bytesByRelation(written: readonly WrittenKind[]): Map<string, number> {
  const bytes = new Map<string, number>();
  for (const one of written) bytes.set(one.relation, (bytes.get(one.relation) ?? 0) + one.bytes);
  const rounded = [...bytes].map(([relation, total]) => [relation, Math.round(total / REQUESTS)] as const);
  return new Map(rounded.filter(([, total]) => total > 0).sort(([, a], [, b]) => b - a));
}

async function asSuperuser(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
