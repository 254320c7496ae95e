import { spawn } from 'node:child_process';
import pg from 'pg';
import type { LoadPlan, LoadResult } from './load.ts';
import { hasPgbench, pgbench, plainTransaction, preparePgbench, preparePlain, type Rival } from './rivals.ts';
import { seed, tokenFor } from './seed.ts';
import { startDatabase, startService } from './server.ts';

/**
 * Durable transfers a second over HTTP, beside `pgbench` and a plain SQL transaction on the same server in the
 * same run, in alternation. `npm run bench -- --seconds 5 --rounds 3`.
 */
const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const SECONDS = option('seconds', 5);
const ROUNDS = option('rounds', 3);
const PARTNERS = option('partners', 100);
const ACCOUNTS = option('accounts', 10);

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

function load(plan: LoadPlan): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['bench/load.ts'], { stdio: ['pipe', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('exit', (code) =>
      code === 0 ? resolve(JSON.parse(output) as LoadResult) : reject(new Error('the load failed')),
    );
    child.stdin.end(JSON.stringify(plan));
  });
}

const database = await startDatabase();
const service = await startService(database.url);
try {
  const partners = await seed(service.url, PARTNERS, ACCOUNTS);
  const transfer = (token: string, to: string) => ({
    path: '/partners-int/accounts/transfer',
    token,
    body: JSON.stringify({ refAccountCredit: to, transferAmount: '1.00' }),
  });
  const hot = partners[0]!;
  const intoHot = await Promise.all(
    hot.accounts.slice(1).map(async (uid) => transfer(await tokenFor(service.url, uid), hot.accounts[0]!)),
  );
  const workloads: Record<string, Omit<LoadPlan, 'url' | 'seconds'>> = {
    'transfers, uniform': {
      connections: 128,
      method: 'POST',
      requests: partners.flatMap(({ token, accounts }) => accounts.slice(1).map((uid) => transfer(token, uid))),
    },
    'transfers out of one hot account': {
      connections: 128,
      method: 'POST',
      requests: hot.accounts.slice(1).map((uid) => transfer(hot.token, uid)),
    },
    'transfers into one hot account': { connections: 128, method: 'POST', requests: intoHot },
    'transfers, one connection': {
      connections: 1,
      method: 'POST',
      requests: hot.accounts.slice(1).map((uid) => transfer(hot.token, uid)),
    },
  };

  const plain = await preparePlain(database.url);
  const tpcb = hasPgbench ? await preparePgbench(database.url) : undefined;
  await load({ ...workloads['transfers, uniform']!, url: service.url, seconds: SECONDS });

  const results: Record<string, LoadResult[]> = {};
  const rivals: Record<string, Rival[]> = { 'pgbench TPC-B': [], 'plain transaction, one connection': [] };
  for (let round = 0; round < ROUNDS; round++) {
    if (tpcb) rivals['pgbench TPC-B']!.push(await pgbench(tpcb, SECONDS));
    rivals['plain transaction, one connection']!.push(await plainTransaction(plain, SECONDS));
    for (const [name, plan] of Object.entries(workloads)) {
      (results[name] ??= []).push(await load({ ...plan, url: service.url, seconds: SECONDS }));
    }
  }

  const reference = median(rivals['pgbench TPC-B']!.map(({ perSecond }) => perSecond));
  const rows = [
    ...Object.entries(rivals).map(([name, runs]) => ({
      name,
      perSecond: median(runs.map((run) => run.perSecond)),
      mean: median(runs.map((run) => run.meanLatency)),
      p99: undefined,
      failed: 0,
    })),
    ...Object.entries(results).map(([name, runs]) => ({
      name,
      perSecond: median(runs.map((run) => run.perSecond)),
      // Closed loop: every connection always has one request under way (the tool's own mean is in whole milliseconds).
      mean: median(runs.map((run) => (1000 * workloads[name]!.connections) / run.perSecond)),
      p99: median(runs.map((run) => run.latency.p99)),
      failed: runs.reduce((sum, run) => sum + run.failed, 0),
    })),
  ].filter(({ perSecond }) => perSecond !== undefined);
  console.table(
    rows.map(({ name, perSecond, mean, p99, failed }) => ({
      name,
      'per second': Math.round(perSecond),
      '÷ pgbench': reference ? Number((perSecond / reference).toFixed(2)) : null,
      'mean ms': Number(mean.toFixed(2)),
      'p99 ms': p99 ?? null,
      failed,
    })),
  );
  await assertConserved(database.url);
  await printSettings(database.url);
} finally {
  await service.stop();
  await database.stop();
}

/** Nothing was made or lost, and every event is there. */
async function assertConserved(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ sum: string; gaps: string; events: string }>(`
    select (select sum(available + held) from account) as sum,
      (select count(*) from log_head h where position <> (select count(*) from event e where e.partition = h.partition)) as gaps,
      (select count(*) from event) as events`);
  await client.end();
  const { sum, gaps, events } = rows[0]!;
  if (sum !== '0' || gaps !== '0') throw new Error(`not conserved: sum ${sum}, partitions with gaps ${gaps}`);
  console.log(`Conserved: ${events} events, balances sum to zero, positions have no gaps.`);
}

/** Every setting of the server that differs from PostgreSQL's default. */
async function printSettings(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string; setting: string }>(`
    select name, setting from pg_settings
    where source not in ('default', 'override', 'client') and setting is distinct from boot_val
      and name !~ '(file|directory|directories|path|locale|lc_|port|zone|TimeZone|text_search)'
    order by name`);
  await client.end();
  console.log(`Settings: ${rows.map(({ name, setting }) => `${name}=${setting}`).join(' ')}`);
}
