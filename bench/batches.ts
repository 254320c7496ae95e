import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { argument, median } from './arguments.ts';
import { hasPgbench, pgbench, preparePgbench } from './baselines.ts';
import { offer } from './generator.ts';
import type { LoadResult } from './load.ts';
import { payoutCsv, runFile } from './payout-files.ts';
import { cpuOf, peakMemoryOf, serverCpu } from './processes.ts';
import { quiet } from './quiet.ts';
import { seed } from './seed.ts';
import { startDatabase, startService } from './server.ts';
import { assertConserved, assertVerified } from './soundness.ts';
import { type Workload, workloads } from './workloads.ts';

/**
 * Requests of many beside single ones, and files: each row of the table in docs/performance.md with its ratio, in
 * alternation. `npm run bench -- --table batches --seconds 3 --rounds 3 --lines 20000`
 */
const SECONDS = Number(argument('seconds') ?? 3);
const ROUNDS = Number(argument('rounds') ?? 3);
const LINES = Number(argument('lines') ?? 100_000);
/** Only rows of these: `transfers`, `payouts`, `file`, `p99`. */
const ROWS = (argument('rows') ?? 'transfers,payouts,file,p99').split(',');
const ITEMS = 50;
/** A file's payouts are sent when its lines are registered: that takes several times as long. */
const SETTLED_SECONDS = 900;

interface Run {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
  /** Microseconds of processor time for each transfer, payout or line. */
  readonly serviceUs: number;
  readonly databaseUs: number;
}

const receiver = createServer((request, response) => request.resume().on('end', () => response.end()));
await once(receiver.listen(0, '127.0.0.1'), 'listening');
const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
const say = (line: string) => process.stderr.write(`${line}\n`);

const database = await startDatabase();
const service = await startService(database.url);
const runs = new Map<string, Run[]>();
try {
  say('seeding');
  const partners = await seed(service.url, 20, 50);
  const plans = await workloads(service.url, partners, webhookUrl);
  const tpcb = hasPgbench && ROWS.includes('transfers') ? await preparePgbench(database.url) : undefined;
  const databaseCpu = await serverCpu(database.url);
  const used = () => [cpuOf(service.process.pid!), databaseCpu()] as const;

  const keep = (name: string, run: Run) => {
    runs.set(name, [...(runs.get(name) ?? []), run]);
    const { perSecond, p50Ms, p99Ms, failed, serviceUs, databaseUs } = run;
    say(
      `${name}: ${Math.round(perSecond)} a second, p50 ${p50Ms.toFixed(0)}, p99 ${p99Ms.toFixed(0)} ms, ${failed} failed, ` +
        `service ${serviceUs.toFixed(0)} us, PostgreSQL ${databaseUs.toFixed(0)} us`,
    );
    return run;
  };
  const load = async (name: string, plan: Workload, rate?: number): Promise<Run> => {
    await quiet(database.url, SETTLED_SECONDS);
    const [ownBefore, serverBefore] = used();
    const began = performance.now();
    const result = await offer({ ...plan, url: service.url, seconds: SECONDS, ...(rate && { rate }) });
    const [own, server] = used();
    const items = plan.items ?? 1;
    // What was done while the load warmed up costs as much as what was counted.
    const done = (result.perSecond * items * (performance.now() - began)) / 1_000;
    sayFailures(name, result);
    return {
      perSecond: result.perSecond * items,
      p50Ms: result.latency.p50,
      p99Ms: result.latency.p99,
      failed: result.failed,
      serviceUs: ((own - ownBefore) * 1_000) / done,
      databaseUs: ((server - serverBefore) * 1_000) / done,
    };
  };
  let files = 0;
  const csvOf = (lines: number) => payoutCsv(lines, `file-${(files += 1)}`, webhookUrl);
  const file = async (): Promise<Run> => {
    await quiet(database.url, SETTLED_SECONDS);
    const csv = csvOf(LINES);
    const [ownBefore, serverBefore] = used();
    const { acceptedMs, ranMs } = await runFile(service.url, partners[files % partners.length]!.token, csv);
    const [own, server] = used();
    say(`file: accepted after ${Math.round(acceptedMs)} ms, ran for ${Math.round(ranMs)} ms`);
    return {
      perSecond: (LINES * 1_000) / (acceptedMs + ranMs),
      p50Ms: 0,
      p99Ms: 0,
      failed: 0,
      serviceUs: ((own - ownBefore) * 1_000) / LINES,
      databaseUs: ((server - serverBefore) * 1_000) / LINES,
    };
  };
  /** Single transfers at half the rate that the service can do, alone and while a file runs. */
  const beside = async (rate: number): Promise<void> => {
    const single = plans['transfers, uniform over all accounts']!;
    keep('transfers at half the rate', await load('transfers at half the rate', single, rate));
    await quiet(database.url, SETTLED_SECONDS);
    let runs = true;
    const files = (async () => {
      // Lines enough for the whole time, by files that follow each other.
      while (runs) await runFile(service.url, partners.at(-1)!.token, csvOf(10_000));
    })();
    await new Promise((resume) => setTimeout(resume, 500));
    const busy = await offer({ ...single, url: service.url, seconds: SECONDS, rate });
    runs = false;
    await files;
    sayFailures('transfers while a file runs', busy);
    const { perSecond, latency, failed } = busy;
    keep('transfers while a file runs', {
      ...{ perSecond, p50Ms: latency.p50, p99Ms: latency.p99, failed },
      ...{ serviceUs: 0, databaseUs: 0 },
    });
  };

  const rows = Object.entries({
    transfers: ['transfers, uniform over all accounts', 'transfers in batches of 50, uniform'],
    payouts: ['cash-out creation', 'cash-outs in batches of 50'],
  }).flatMap(([row, names]) => (ROWS.includes(row) ? names : []));
  say('warming up');
  for (const name of rows) await offer({ ...plans[name]!, url: service.url, seconds: 2 });
  for (let round = 1; round <= ROUNDS; round++) {
    say(`round ${round} of ${ROUNDS}`);
    if (tpcb) {
      await quiet(database.url, SETTLED_SECONDS);
      const { perSecond } = await pgbench(tpcb, SECONDS);
      keep('pgbench TPC-B', { perSecond, p50Ms: 0, p99Ms: 0, failed: 0, serviceUs: 0, databaseUs: 0 });
    }
    for (const name of round % 2 === 1 ? rows : rows.toReversed()) keep(name, await load(name, plans[name]!));
    if (ROWS.includes('file')) keep('file', await file());
    if (ROWS.includes('p99')) await beside(rateOf(rows[0]!));
  }
  printTable();
  const events = await assertConserved(database.url);
  await quiet(database.url, SETTLED_SECONDS);
  await assertVerified(service.env);
  console.log(
    `Conserved and verified: ${events} events. Peak memory ${Math.round(peakMemoryOf(service.process.pid!))} MB.`,
  );
} finally {
  await service.stop();
  await database.stop();
  receiver.close();
}

/** Half of what single transfers reached; without that row, a rate that a slow machine can do. */
function rateOf(name: string): number {
  const reached = runs.get(name)?.map(({ perSecond }) => perSecond);
  return reached ? Math.round(median(reached) / 2) : 2_000;
}

function sayFailures(name: string, { failures }: LoadResult): void {
  for (const [failure, count] of Object.entries(failures ?? {})) say(`${name}: ${count} failed: ${failure}`);
}

function printTable(): void {
  const [single, many] = ['transfers, uniform over all accounts', 'transfers in batches of 50, uniform'];
  const [payouts, manyPayouts] = ['cash-out creation', 'cash-outs in batches of 50'];
  const of = (name: string, value: (run: Run) => number) => {
    const its = runs.get(name);
    return its && median(its.map(value));
  };
  const speed = (name: string) => of(name, ({ perSecond }) => perSecond);
  const p99 = (name: string) => of(name, ({ p99Ms }) => p99Ms);
  // By round: from one to the next the machine's speed changes.
  const ratio = (one: string, other: string, value = ({ perSecond }: Run) => perSecond) => {
    const [its, others] = [runs.get(one), runs.get(other)];
    return its && others && Number(median(its.map((run, i) => value(run) / value(others[i]!))).toFixed(2));
  };
  const cost = (name: string) =>
    `${of(name, ({ serviceUs }) => serviceUs)?.toFixed(0)} + ${of(name, ({ databaseUs }) => databaseUs)?.toFixed(0)}`;
  const figures = [
    [`transfers in batches of ${ITEMS} ÷ single`, ratio(many, single), '≥ 2.0'],
    ['the same ÷ pgbench TPC-B', ratio(many, 'pgbench TPC-B'), '≥ 3.0'],
    ['p50 of a batch of transfers, ms', of(many, ({ p50Ms }) => Math.round(p50Ms)), '≤ 150'],
    [`payouts in batches of ${ITEMS} ÷ single`, ratio(manyPayouts, payouts), '≥ 2.5'],
    ['lines of a file ÷ payouts in batches', ratio('file', manyPayouts), '≥ 0.8'],
    [
      'p99 of transfers while a file runs ÷ without',
      ratio('transfers while a file runs', 'transfers at half the rate', ({ p99Ms }) => p99Ms),
      '≤ 2.0',
    ],
  ] as const;
  console.table(
    [...runs.keys()].map((name) => ({
      name,
      'per second': Math.round(speed(name)!),
      rounds: runs
        .get(name)!
        .map(({ perSecond }) => Math.round(perSecond))
        .join(' '),
      'p50 ms': of(name, ({ p50Ms }) => Math.round(p50Ms)),
      'p99 ms': Math.round(p99(name)!),
      'service + PostgreSQL, us': cost(name),
      failed: runs.get(name)!.reduce((sum, { failed }) => sum + failed, 0),
    })),
  );
  console.table(
    figures.flatMap(([name, value, asked]) =>
      value === undefined ? [] : [{ figure: name, value, 'asked for': asked }],
    ),
  );
}
