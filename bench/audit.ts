import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openLedger } from './audit-log.ts';
import { quiet } from './quiet.ts';
import { startDatabase } from './server.ts';

/**
 * What auditing costs: `ledger verify` and `ledger rebuild` beside a plain keyset select of the same rows through
 * the same driver, their peak memory, transfers a second while a verification runs, and past balances beside the
 * present one.
 * `node bench/audit.ts --events 1000000 --accounts 1000`
 */
const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : Number(process.argv[at + 1]);
};
const EVENTS = option('events', 1_000_000);
const ACCOUNTS = option('accounts', 1_000);

/** The built code, with the types of its sources. */
const built = (path: string) => import(new URL(`../dist/src/${path}`, import.meta.url).href);
const { BalanceAtReader } = (await built(
  'audit/queries/balance-at/balance-at.js',
)) as typeof import('../src/audit/queries/balance-at/balance-at.js');
const { EventLog } = (await built('event-store/index.js')) as typeof import('../src/event-store/index.js');
const { Database } = (await built('platform/database/index.js')) as typeof import('../src/platform/database/index.js');

/** The command line of the npm script `ledger`: a small heap keeps the memory flat. */
const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<'ledger', string> };
const LEDGER = scripts.ledger.split(' ').slice(1);

const say = (line: string) => process.stdout.write(`${line}\n`);
const perSecond = (count: number, ms: number) => Math.round((count * 1000) / ms);

interface Run {
  readonly seconds: number;
  readonly peakMegabytes: number;
  readonly code: number | null;
}

/** Runs the built CLI and watches its peak resident memory (Linux). */
async function ledger(args: readonly string[], env: Record<string, string>): Promise<Run> {
  const started = performance.now();
  const child = spawn(process.execPath, [...LEDGER, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let peak = 0;
  const watch = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8')
      .then((status) => (peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0))))
      .catch(() => undefined);
  }, 50);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearInterval(watch);
  return { seconds: (performance.now() - started) / 1000, peakMegabytes: peak / 1024, code };
}

/** Every row of a table, by key, a thousand at a time. @returns rows and milliseconds */
async function keysetSelect(
  pool: pg.Pool,
  partition: number,
  table: string,
  key: readonly string[],
  start: readonly string[],
) {
  const columns = key.join(', ');
  const marks = key.map((_name, i) => `$${i + 2}`).join(', ');
  const text = `select * from ${table} where partition = $1 and (${columns}) > (${marks}) order by ${columns} limit 1000`;
  const began = performance.now();
  let after: unknown[] = [...start];
  let rows = 0;
  for (;;) {
    const page = await pool.query<Record<string, unknown>>({
      name: `plain-${table}`,
      text,
      values: [partition, ...after],
    });
    rows += page.rows.length;
    if (page.rows.length < 1000) return { rows, ms: performance.now() - began };
    after = key.map((name) => page.rows.at(-1)![name]);
  }
}

const READS = 500;

/** Milliseconds that one call takes, one after another. */
async function time(call: (i: number) => Promise<unknown>): Promise<number> {
  for (let i = 0; i < READS / 5; i++) await call(i);
  const began = performance.now();
  for (let i = 0; i < READS; i++) await call(i);
  return (performance.now() - began) / READS;
}

/** Past balances of the accounts, and present ones, through the service's reads. */
async function balances(url: string, partition: number, accounts: readonly string[], head: bigint): Promise<void> {
  const reads = new Database(url, () => undefined);
  const past = new BalanceAtReader(reads, new EventLog(reads));
  const account = (i: number) => accounts[i % accounts.length]!;
  try {
    const text = 'select available, held from account where partition = $1 and uid = $2';
    const present = await time((i) => reads.query({ name: 'bench-balance', text, values: [partition, account(i)] }));
    say(`present balance: ${present.toFixed(3)} ms`);
    for (const percent of [1n, 10n, 50n, 90n, 100n]) {
      const at = (head * percent) / 100n;
      const took = await time((i) => past.read(partition, account(i), null, at));
      say(`balance at position ${at} of ${head}: ${took.toFixed(3)} ms = ${(took / present).toFixed(2)} × the present`);
    }
  } finally {
    await reads.close();
  }
}

const database = await startDatabase();
const dataDir = await mkdtemp(join(tmpdir(), 'payments-bench-audit-'));
const env = { DATA_DIR: dataDir, DATABASE_URL: database.url, ADMIN_TOKEN: 'bench-operator-token-of-24-and-more' };
const pool = new pg.Pool({ connectionString: database.url, max: 1 });
try {
  const writer = await openLedger(database.url, env, ACCOUNTS);
  const { partition } = writer;
  say(`appended at ${Math.round(await writer.append(EVENTS))} transfers/s (in process, no HTTP)`);
  await quiet(database.url);
  await pool.query('vacuum analyze');

  const zero = '00000000-0000-0000-0000-000000000000';
  const plain = await keysetSelect(pool, partition, 'event', ['position'], ['0']);
  const rest = [
    await keysetSelect(pool, partition, 'transaction', ['id'], [zero]),
    await keysetSelect(pool, partition, 'account', ['uid'], [zero]),
    await keysetSelect(pool, partition, 'idempotency', ['id'], ['\\x']),
    await keysetSelect(pool, partition, 'entry', ['account_uid', 'position', 'number'], [zero, '0', '0']),
    await keysetSelect(pool, partition, 'transaction_search', ['id'], [zero]),
  ];
  const all = plain.ms + rest.reduce((sum, { ms }) => sum + ms, 0);
  say(`plain select of the events: ${perSecond(plain.rows, plain.ms)} events/s`);
  say(`plain select of the events and of all rows made of them: ${perSecond(plain.rows, all)} events/s`);

  await balances(database.url, partition, writer.accounts, BigInt(plain.rows));

  for (const args of [['verify'], ['rebuild', '--projection', 'entries'], ['rebuild']]) {
    const run = await ledger(args, env);
    const rate = perSecond(plain.rows, run.seconds * 1000);
    const ratios = `${((rate * plain.ms) / plain.rows / 1000).toFixed(2)} × plain events, ${((rate * all) / plain.rows / 1000).toFixed(2)} × all rows`;
    say(
      `ledger ${args.join(' ')}: exit ${run.code}, ${rate} events/s = ${ratios}, peak ${Math.round(run.peakMegabytes)} MB`,
    );
  }

  const sample = Math.max(20_000, Math.round(EVENTS / 20));
  const alone = await writer.append(sample);
  const verifying = ledger(['verify'], env);
  const beside = await writer.append(sample);
  say(
    `transfers/s alone ${Math.round(alone)}, while verify runs ${Math.round(beside)}: ${(beside / alone).toFixed(2)}`,
  );
  say(`that verification: exit ${(await verifying).code}`);
  await writer.stop();
} finally {
  await pool.end();
  await rm(dataDir, { recursive: true, force: true });
  await database.stop();
}
