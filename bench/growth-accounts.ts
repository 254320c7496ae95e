import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { argument, median } from './arguments.ts';
import { openAccounts } from './audit-log.ts';
import { offer } from './generator.ts';
import type { LoadResult } from './load.ts';
import { peakMemoryOf } from './processes.ts';
import { quiet } from './quiet.ts';
import { keyFor } from './seed.ts';
import { ADMIN_TOKEN, type BenchService, sibling, startDatabase, startService } from './server.ts';
import { assertConserved } from './soundness.ts';
import type { Workload } from './workloads.ts';

/**
 * The cost of many active accounts: commands, reads and memory with those of many partners beside 1,000 accounts of
 * ten, alternating: two databases on one server, with a service for each.
 * `npm run bench:growth -- --accounts 500000 --partners 5000 --seconds 5 --rounds 3`
 */
const PARTNERS = Number(argument('partners') ?? 5_000);
const ACCOUNTS = Number(argument('accounts'));
const SECONDS = Number(argument('seconds') ?? 5);
const ROUNDS = Number(argument('rounds') ?? 3);
const FEW = { partners: 10, accountsEach: 100 };
/** Transfers of the load's list, each between two random accounts of a partner. */
const TRANSFERS = 100_000;

const say = (line: string) => process.stderr.write(`${line}\n`);

interface Side {
  readonly name: string;
  readonly database: string;
  readonly service: BenchService;
  readonly plans: Readonly<Record<string, Workload>>;
  readonly runs: Map<string, LoadResult[]>;
}

async function begin(name: string, database: string, size: typeof FEW, dataDir: string): Promise<Side> {
  say(`${name}: opening ${size.partners * size.accountsEach} accounts of ${size.partners} partners`);
  const env = { DATA_DIR: dataDir, ADMIN_TOKEN };
  const began = performance.now();
  const opened = await openAccounts(database, env, size.partners, size.accountsEach);
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  await client.query('vacuum analyze');
  await client.end();
  const service = await startService(database, env);
  await quiet(database, 3_600);
  const plans = await plansOf(service.url, opened);
  say(`${name}: ready after ${Math.round((performance.now() - began) / 1_000)} s`);
  return { name, database, service, plans, runs: new Map() };
}

async function plansOf(base: string, opened: (readonly string[])[]): Promise<Record<string, Workload>> {
  const keys = new Map<string, Awaited<ReturnType<typeof keyFor>>>();
  const left = opened.values();
  const worker = async () => {
    for (const [first] of left) keys.set(first!, await keyFor(base, first!));
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  const any = (count: number) => Math.floor(Math.random() * count);
  const transfers = Array.from({ length: TRANSFERS }, () => {
    const accounts = opened[any(opened.length)]!;
    const body = { refAccountCredit: accounts[1 + any(accounts.length - 1)], transferAmount: '1.00' };
    const { token } = keys.get(accounts[0]!)!;
    return { path: '/partners-int/accounts/transfer', token, body: JSON.stringify(body) };
  });
  const each = (pathOf: (account: string) => string) =>
    [...keys].map(([account, { token }]) => ({ path: pathOf(account), token }));
  const reads = { connections: 64, method: 'GET' } as const;
  return {
    transfers: { connections: 128, method: 'POST', idempotent: true, requests: transfers },
    'lists of transactions': { ...reads, requests: each(() => '/partners-int/accounts/transactions?limit=20') },
    statements: { ...reads, requests: each((uid) => `/partners-int/accounts/${uid}/statement?limit=20`) },
    search: {
      ...reads,
      connections: 4,
      requests: opened.slice(0, 1_000).map(([uid]) => ({ path: `/admin/search?q=${uid}`, token: ADMIN_TOKEN })),
    },
    login: {
      connections: 64,
      method: 'POST',
      requests: [...keys.values()].map(({ credentials }) => ({
        path: '/partners-int/login',
        body: JSON.stringify(credentials),
      })),
    },
  };
}

async function measure({ database, service, plans }: Side, name: string, seconds: number): Promise<LoadResult> {
  await quiet(database, 600);
  const result = await offer({ ...plans[name]!, url: service.url, seconds });
  for (const [failure, count] of Object.entries(result.failures ?? {})) say(`${name}: ${count} failed: ${failure}`);
  return result;
}

const server = await startDatabase();
const dataDirs = await Promise.all(['few', 'many'].map((name) => mkdtemp(join(tmpdir(), `payments-bench-${name}-`))));
const sides: Side[] = [];
try {
  const size = { partners: PARTNERS, accountsEach: Math.ceil(ACCOUNTS / PARTNERS) };
  sides.push(await begin('few', server.url, FEW, dataDirs[0]!));
  sides.push(await begin('many', await sibling(server.url, 'bench_many'), size, dataDirs[1]!));
  const [few, many] = sides as [Side, Side];
  const names = Object.keys(few.plans);
  say('warming up');
  for (const name of names) for (const side of sides) await measure(side, name, 2);
  for (let round = 1; round <= ROUNDS; round++) {
    say(`round ${round} of ${ROUNDS}`);
    for (const name of names) {
      for (const side of round % 2 === 1 ? sides : sides.toReversed()) {
        side.runs.set(name, [...(side.runs.get(name) ?? []), await measure(side, name, SECONDS)]);
      }
    }
  }
  const of = (side: Side, name: string, value: (run: LoadResult) => number) => median(side.runs.get(name)!.map(value));
  const perSecond = ({ perSecond: its }: LoadResult) => its;
  const p99 = ({ latency }: LoadResult) => latency.p99;
  console.table(
    names.map((name) => ({
      name,
      'few, per second': Math.round(of(few, name, perSecond)),
      'many, per second': Math.round(of(many, name, perSecond)),
      ratio: Number((of(many, name, perSecond) / of(few, name, perSecond)).toFixed(2)),
      'p99 ms, few': Number(of(few, name, p99).toFixed(1)),
      'p99 ms, many': Number(of(many, name, p99).toFixed(1)),
    })),
  );
  const [less, more] = sides.map(({ service }) => Math.round(peakMemoryOf(service.process.pid!)));
  console.log(`Peak memory of the service: ${less} MB with few, ${more} MB with many.`);
  for (const side of sides) console.log(`Conserved: ${await assertConserved(side.database)} events.`);
} finally {
  for (const { service } of sides) await service.stop();
  await server.stop();
  for (const folder of dataDirs) await rm(folder, { recursive: true, force: true });
}
