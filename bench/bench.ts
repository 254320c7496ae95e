import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { COST_SETTINGS, costs, withoutStatementStatistics } from './costs.ts';
import { closedLoop, offer } from './generator.ts';
import type { LoadResult } from './load.ts';
import { cpuOf, cpuOfMachine, peakMemoryOf, serverCpu } from './processes.ts';
import { quiet } from './quiet.ts';
import { hasPgbench, pgbench, plainTransaction, preparePgbench, preparePlain, type Baseline } from './baselines.ts';
import { seed } from './seed.ts';
import { type BenchService, startDatabase, startService } from './server.ts';
import { assertConserved, assertVerified, changedSettings } from './soundness.ts';
import { type Workload, workloads } from './workloads.ts';

/**
 * Throughput of the service over HTTP, beside `pgbench` and a plain SQL transaction on the same server in the same run,
 * in alternation. `npm run bench -- --seconds 5 --rounds 3 --only transfers --json figures.json`
 */
const argument = (name: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1]!;
};
const SECONDS = Number(argument('seconds') ?? 5);
const ROUNDS = Number(argument('rounds') ?? 3);
const PARTNERS = Number(argument('partners') ?? 100);
const ACCOUNTS = Number(argument('accounts') ?? 100);
const ONLY = argument('only');
const JSON_FILE = argument('json');

const say = (line: string) => process.stderr.write(`${line}\n`);
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const round = (value: number, digits = 2) => Number(value.toFixed(digits));

/** A row of the result: medians over the rounds. Milliseconds; cores as parts of one. */
interface Figure {
  readonly name: string;
  readonly perSecond: number;
  /** Of each round, in their order. */
  readonly rounds: readonly number[];
  readonly meanMs: number;
  readonly http?: {
    readonly p50Ms: number;
    readonly p99Ms: number;
    readonly failed: number;
    readonly cpu: Measured['cpu'];
  };
}

interface Measured extends LoadResult {
  /** Processor time as parts of one core. */
  readonly cpu: { readonly service: number; readonly database: number; readonly rest: number };
}

/** A receiver that accepts every webhook. */
const receiver = createServer((request, response) => request.resume().on('end', () => response.end())).listen(
  0,
  '127.0.0.1',
);
const webhookUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
const database = await startDatabase(COST_SETTINGS);
if (!process.env.DATABASE_URL) await withoutStatementStatistics(database.url);
const service = await startService(database.url);
try {
  say('seeding');
  const partners = await seed(service.url, PARTNERS, ACCOUNTS);
  const all = Object.entries(await workloads(service.url, partners, webhookUrl())).filter(
    ([name]) => !ONLY || name.includes(ONLY),
  );
  const plain = await preparePlain(database.url);
  const tpcb = hasPgbench ? await preparePgbench(database.url) : undefined;
  if (!tpcb) say('pgbench is not installed: no ratios to it');
  const databaseCpu = await serverCpu(database.url);

  /** Several processes share the connections, and the rate. */
  const measure = async (targets: readonly BenchService[], plan: Workload, rate?: number): Promise<Measured> => {
    const used = () => [
      targets.reduce((sum, target) => sum + cpuOf(target.process.pid!), 0),
      databaseCpu(),
      cpuOfMachine(),
    ];
    const before = used();
    const began = performance.now();
    const connections = plan.connections / targets.length;
    const results = await Promise.all(
      targets.map(({ url }) =>
        offer({ ...plan, connections, url, seconds: SECONDS, rate: rate && rate / targets.length }),
      ),
    );
    const ms = performance.now() - began;
    const [own, server, machine] = used().map((now, i) => (now - before[i]!) / ms) as [number, number, number];
    const measured = together(results);
    const perSecond = measured.perSecond * (plan.items ?? 1);
    return { ...measured, perSecond, cpu: { service: own, database: server, rest: machine - own - server } };
  };

  say('warming up');
  for (const [, plan] of all) await offer({ ...plan, url: service.url, seconds: 2 });
  await quiet(database.url);

  const baselines: Record<string, Baseline[]> = { 'pgbench TPC-B': [], 'plain transaction, one connection': [] };
  const results: Record<string, Measured[]> = {};
  const uniform = all.find(([name]) => name.startsWith('transfers, uniform'))?.[1];
  for (let i = 0; i < ROUNDS; i++) {
    say(`round ${i + 1} of ${ROUNDS}`);
    await quiet(database.url);
    if (tpcb) baselines['pgbench TPC-B']!.push(await pgbench(tpcb, SECONDS));
    baselines['plain transaction, one connection']!.push(await plainTransaction(plain, SECONDS));
    for (const [name, plan] of all) {
      // Background work of the run before ends first.
      await quiet(database.url);
      (results[name] ??= []).push(await measure([service], plan));
    }
    if (uniform) {
      await quiet(database.url);
      const half = Math.round(results['transfers, uniform over all accounts']!.at(-1)!.perSecond / 2);
      (results['transfers, uniform, at half that rate (open loop)'] ??= []).push(
        await measure([service], uniform, half),
      );
    }
  }
  const peak = peakMemoryOf(service.process.pid!);

  const read = all.find(([name]) => name === 'read by id')?.[1];
  if (read) results['read by id, without a database'] = await withoutDatabase(read, measure);
  if (uniform) {
    const { one, both } = await twoProcesses(uniform, measure);
    results['transfers, uniform, one of two processes'] = one;
    results['transfers, uniform, both processes'] = both;
  }

  const reference = median(baselines['pgbench TPC-B']!.map(({ perSecond }) => perSecond));
  const rows: Figure[] = [
    ...Object.entries(baselines).map(([name, runs]) => ({
      name,
      perSecond: median(runs.map((run) => run.perSecond)),
      rounds: runs.map((run) => Math.round(run.perSecond)),
      meanMs: median(runs.map((run) => run.meanLatency)),
    })),
    ...Object.entries(results).map(([name, runs]) => ({
      name,
      perSecond: median(runs.map((run) => run.perSecond)),
      rounds: runs.map((run) => Math.round(run.perSecond)),
      meanMs: median(runs.map((run) => run.latency.mean)),
      http: {
        p50Ms: median(runs.map((run) => run.latency.p50)),
        p99Ms: median(runs.map((run) => run.latency.p99)),
        failed: runs.reduce((sum, run) => sum + run.failed, 0),
        cpu: {
          service: median(runs.map(({ cpu }) => cpu.service)),
          database: median(runs.map(({ cpu }) => cpu.database)),
          rest: median(runs.map(({ cpu }) => cpu.rest)),
        },
      },
    })),
  ];
  const figures = rows
    .filter(({ perSecond }) => perSecond !== undefined)
    .map((row) => ({ ...row, toPgbench: reference ? row.perSecond / reference : null }));

  console.table(
    figures.map(({ name, perSecond, toPgbench, meanMs, http }) => ({
      name,
      'per second': Math.round(perSecond),
      '÷ pgbench': toPgbench && round(toPgbench),
      'mean ms': round(meanMs),
      ...(http && {
        'p50 ms': round(http.p50Ms, 1),
        'p99 ms': round(http.p99Ms, 1),
        failed: http.failed,
        'cores: service': round(http.cpu.service),
        database: round(http.cpu.database),
        'load and rest': round(http.cpu.rest),
      }),
    })),
  );
  if (!process.env.DATABASE_URL) await printCosts(all);
  const settings = await changedSettings(database.url);
  const events = await assertConserved(database.url);
  console.log(`Closed loops by ${closedLoop}, open ones by bench/load.ts. Server settings: ${settings}`);
  console.log(`Peak memory of the service: ${Math.round(peak)} MB.`);
  await quiet(database.url);
  await assertVerified(service.env);
  console.log(`Conserved and verified: ${events} events.`);
  if (JSON_FILE) {
    await writeFile(JSON_FILE, JSON.stringify({ seconds: SECONDS, rounds: ROUNDS, figures, peak, settings, events }));
  }
} finally {
  await service.stop();
  await database.stop();
  receiver.close();
}

/** Processor time, counts and bytes for a request, of what moves or creates money. */
async function printCosts(plans: readonly (readonly [string, Workload])[]): Promise<void> {
  const commands = plans.filter(([name]) => /uniform|creation/.test(name));
  const { requests, relations } = await costs(database.url, service, commands);
  console.log('For each request, with what follows from it (one at 128 connections):');
  console.table(requests);
  for (const [name, bytes] of relations) {
    console.log(`WAL bytes of ${name}: ${[...bytes].map(([relation, count]) => `${relation} ${count}`).join(', ')}`);
  }
}

type Measure = (targets: readonly BenchService[], plan: Workload) => Promise<Measured>;

async function withoutDatabase(plan: Workload, measure: Measure): Promise<Measured[]> {
  const bare = await startService(database.url, { ...service.env, ROLE: 'api' }, ['bench/no-database.ts']);
  try {
    await measure([bare], plan);
    const runs: Measured[] = [];
    for (let i = 0; i < ROUNDS; i++) runs.push(await measure([bare], plan));
    return runs;
  } finally {
    await bare.stop();
  }
}

/**
 * Two processes on one database, with half of the connections each, alternating with all connections to the first. The
 * second is warmed up before: in its first seconds a process mostly compiles.
 */
async function twoProcesses(plan: Workload, measure: Measure): Promise<{ one: Measured[]; both: Measured[] }> {
  const other = await startService(database.url, service.env);
  try {
    await offer({ ...plan, url: other.url, seconds: 10 });
    const [one, both]: [Measured[], Measured[]] = [[], []];
    for (let i = 0; i < ROUNDS; i++) {
      await quiet(database.url);
      one.push(await measure([service], plan));
      await quiet(database.url);
      both.push(await measure([service, other], plan));
    }
    return { one, both };
  } finally {
    await other.stop();
  }
}

/** The sum of concurrent measurements; quantiles are those of the slower one. */
function together(results: readonly LoadResult[]): LoadResult {
  const sum = (of: (result: LoadResult) => number) => results.reduce((total, result) => total + of(result), 0);
  const most = (of: (result: LoadResult) => number) => Math.max(...results.map(of));
  return {
    perSecond: sum(({ perSecond }) => perSecond),
    succeeded: sum(({ succeeded }) => succeeded),
    failed: sum(({ failed }) => failed),
    latency: {
      mean: sum(({ latency }) => latency.mean) / results.length,
      p50: most(({ latency }) => latency.p50),
      p99: most(({ latency }) => latency.p99),
    },
  };
}
