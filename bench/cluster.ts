import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { LoadPlan, LoadResult } from './load.ts';
import { cpuOf, serverCpu } from './processes.ts';
import { ADMIN_TOKEN, type BenchService, startService } from './server.ts';

/**
 * What a transfer costs on a cluster (a coordinator and two workers, on this machine) beside the same server without
 * it: processor time of PostgreSQL and of the service, and throughput, alternating. It has the
 * prerequisites of `npm run test:cluster`.
 *
 *   npm run bench:cluster -- [--rounds 5] [--seconds 4] [--partitions 8]
 */
const SCRIPT = '../shared/citus/cluster.sh';
const TAX_ROOT = '12345678';
const ACCOUNTS = 20;
const CONNECTIONS = 128;

const option = (name: string, otherwise: number) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};
const [rounds, seconds, partitions] = [option('rounds', 5), option('seconds', 4), option('partitions', 8)];

interface Side {
  readonly name: string;
  readonly service: BenchService;
  readonly requests: LoadPlan['requests'];
  readonly perSecond: number[];
  /** Microseconds a transfer. */
  readonly database: number[];
  readonly own: number[];
}

const folder = join(tmpdir(), `payments-citus-${randomBytes(6).toString('hex')}`);
const cluster = (...args: string[]) => execFileSync('bash', [SCRIPT, ...args], { encoding: 'utf8' });
const url = cluster('up', folder, '2').trim().split('\n').at(-1)!;
const atPort = (port: number, database: string) => {
  const address = new URL(url);
  address.port = String(port);
  address.pathname = `/${database}`;
  return address.href;
};

async function query<Row extends pg.QueryResultRow>(at: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: at });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

async function post(service: BenchService, path: string, body: unknown = {}): Promise<any> {
  const answer = await fetch(service.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ADMIN_TOKEN}` },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: unknown }).data;
}

/** Partners on every partition, each with accounts that pay one another. */
async function side(name: string, databaseUrl: string, env: Record<string, string> = {}): Promise<Side> {
  const service = await startService(databaseUrl, { LEDGER_PARTITIONS: String(partitions), ...env });
  const requests: { path: string; token: string; body: string }[] = [];
  for (let i = 0; i < partitions; i++) {
    const partner = await post(service, '/admin/partners', { name: `Partner ${i}`, taxNumber: taxNumber(i) });
    const uids: string[] = [];
    for (let n = 0; n < ACCOUNTS; n++) {
      const account = { name: `Account ${n}`, taxNumber: taxNumber(i) };
      const { uid } = await post(service, `/admin/partners/${partner.uid}/accounts`, account);
      await post(service, `/admin/accounts/${uid}/credits`, { amount: '9999999.00', reason: 'bench' });
      uids.push(uid);
    }
    for (const [n, uid] of uids.entries()) {
      const key = await post(service, `/admin/accounts/${uid}/access-keys`);
      const { token } = await post(service, '/partners-int/login', { accessKey: key.accessKey, secret: key.secret });
      const body = JSON.stringify({ refAccountCredit: uids[(n + 7) % ACCOUNTS], transferAmount: '1.00' });
      requests.push({ path: '/partners-int/accounts/transfer', token, body });
    }
  }
  return { name, service, requests, perSecond: [], database: [], own: [] };
}

/** Made of the first eight digits' place and two check digits: a partner's must be its own. */
function taxNumber(i: number): string {
  const base = `${TAX_ROOT}${String(i + 1).padStart(4, '0')}`;
  const digit = (digits: string) => {
    let weight = digits.length - 7;
    const sum = [...digits].reduce((total, one) => {
      const next = total + Number(one) * weight;
      weight = weight === 2 ? 9 : weight - 1;
      return next;
    }, 0);
    return sum % 11 < 2 ? 0 : 11 - (sum % 11);
  };
  const first = digit(base);
  return `${base}${first}${digit(`${base}${first}`)}`;
}

function load(one: Side): Promise<LoadResult> {
  const child = spawn(process.execPath, ['bench/load.ts'], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const { service, requests } = one;
  const plan: LoadPlan = { url: service.url, connections: CONNECTIONS, seconds, method: 'POST', requests };
  child.stdin.end(JSON.stringify(plan));
  return new Promise((resolve) => child.once('close', () => resolve(JSON.parse(output) as LoadResult)));
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

const nodes = await query<{ port: number }>(url, 'select nodeport as port from pg_dist_node');
const servers = await Promise.all(nodes.map(({ port }) => serverCpu(atPort(port, 'payments'))));
// Without the extension, which the first template has: a plain database on the coordinator's server.
await query(url, 'create database plain template template0');
const env = { ...process.env, DATABASE_URL: url, LEDGER_PARTITIONS: String(partitions) };
execFileSync(process.execPath, ['dist/cli.js', 'distribute'], { env, stdio: 'inherit' });
const sides: Side[] = [];
try {
  const coordinator = new URL(url);
  sides.push(await side('plain', atPort(Number(coordinator.port), 'plain')));
  sides.push(await side('cluster', url));
  for (let round = 0; round < rounds + 1; round++) {
    for (const one of round % 2 ? [...sides].reverse() : sides) {
      const before = [servers.reduce((sum, used) => sum + used(), 0), cpuOf(one.service.process.pid!)] as const;
      const { perSecond, succeeded, failed } = await load(one);
      const after = [servers.reduce((sum, used) => sum + used(), 0), cpuOf(one.service.process.pid!)] as const;
      if (failed > 0) throw new Error(`${one.name}: ${failed} of ${succeeded + failed} failed`);
      // The first round has code compiled and plans made. The load's own first second is in the processor time.
      if (round === 0) continue;
      const transfers = perSecond * (seconds + 1);
      one.perSecond.push(perSecond);
      one.database.push((1_000 * (after[0] - before[0])) / transfers);
      one.own.push((1_000 * (after[1] - before[1])) / transfers);
    }
  }
  const [plain, spread] = sides as [Side, Side];
  const row = (name: string, of: (one: Side) => number[]) => {
    const [a, b] = [median(of(plain)), median(of(spread))];
    process.stdout.write(`| ${name} | ${Math.round(a)} | ${Math.round(b)} | ${(b / a).toFixed(2)} |\n`);
  };
  process.stdout.write(`| ${rounds} rounds, medians | plain | cluster | ratio |\n|---|---|---|---|\n`);
  row('transfers a second', ({ perSecond }) => perSecond);
  row('processor time of PostgreSQL, µs a transfer', ({ database }) => database);
  row('processor time of the service, µs a transfer', ({ own }) => own);
} finally {
  for (const { service } of sides) await service.stop();
  cluster('down', folder);
}
