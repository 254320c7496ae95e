import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startEmbeddedPostgres } from '@partner-payments/embedded-postgres';
import { WrittenLog } from '../../bench/written.js';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { type Cost, costOf, writtenOf } from '../support/costs.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';
import { StatementRecorder } from '../support/statement-recorder.js';

/**
 * What a request costs, in counts that do not depend on the machine, against `bench/costs.json`. A change that raises
 * one changes that file too (`WRITE_COSTS=1` writes what was measured), and says there why. The test has a server of
 * its own: others would write to the same log.
 */

/** Five runs of one program were within 0.2 % of each other; the smallest index entry is 3 % of a transfer. */
const WAL_TOLERANCE = 0.01;
const WEBHOOK = { url: 'https://hooks.example.com/pix', customHeaderName: 'X-Key', customHeaderValue: 'a secret' };
const ORDER = { orderId: 'order-1', orderDescription: 'Pedido' };
const RECIPIENT = {
  name: 'Maria Silva',
  cpf: '11144477735',
  account: { ispb: '60701190', branch: '0001', number: '123456', digit: '7', type: 'CheckingsAccount' },
};
const PAYER = { name: 'Fulano de Tal', cpf: '52998224725' };

const FILE = 'bench/costs.json';

interface Costs {
  /** Why the figures are what they are, newest change first. */
  readonly because: readonly string[];
  readonly costs: Readonly<Record<string, Cost>>;
}

const measuredCosts: Record<string, Cost> = {};
let known: Costs;
let folder: string;
let server: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let recorder: StatementRecorder;
let log: WrittenLog;
let service: Service;
let partner: TestPartner;
let api: PartnerApi;

beforeAll(async () => {
  known = JSON.parse(await readFile(FILE, 'utf8')) as Costs;
  folder = await mkdtemp(join(tmpdir(), 'payments-costs-'));
  await chmod(folder, 0o755);
  // Nothing writes to the log by itself.
  const settings = { autovacuum: 'off', checkpoint_timeout: '1h', max_wal_size: '4GB' };
  server = await startEmbeddedPostgres({ dataDir: folder, database: 'payments', settings });
  recorder = await StatementRecorder.start(server.url);
  service = await startService(recorder.url, { ROLE: 'api' });
  log = await WrittenLog.open(server.url);
  partner = await new OperatorApi(service.url).partner(Array.from({ length: 20 }, () => '1000000.00'));
  api = await PartnerApi.login(service.url, partner.credentials);
}, 60_000);

afterAll(async () => {
  if (process.env.WRITE_COSTS) {
    await writeFile(FILE, `${JSON.stringify({ ...known, costs: { ...known.costs, ...measuredCosts } }, null, 2)}\n`);
  }
  await log?.close();
  await service?.stop();
  await recorder?.stop();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

let keys = 0;

async function post(path: string, body: unknown): Promise<void> {
  const answer = await api.post(path, body, { 'idempotency-key': `key-${100_000 + keys++}` });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

const kinds: Record<string, (n: number) => Promise<void>> = {
  transfer: (n) => {
    const refAccountCredit = partner.accounts[1 + (n % 19)];
    return post('/accounts/transfer', { refAccountCredit, transferAmount: '1.00' });
  },
  'transfer, one of fifty': async (n) => {
    if (n % 50 > 0) return;
    const items = Array.from({ length: 50 }, (_, i) => ({
      idempotencyKey: `item-${100_000 + keys++}`,
      refAccountCredit: partner.accounts[1 + (i % 19)],
      transferAmount: '1.00',
    }));
    const { status, body } = await api.post('/accounts/transfers/batch', { mode: 'atomic', items });
    if (status !== 200 || body.data.counts.done !== 50) throw new Error(`${status} ${JSON.stringify(body)}`);
  },
  'creation of a deposit': () => {
    const payment = { value: { original: '10.00' }, payer: PAYER };
    return post('/accounts/pix/cashin', { payment, transaction: ORDER, webhook: WEBHOOK });
  },
  'creation of a payout': () => {
    const payment = { value: '1.00', recipient: RECIPIENT };
    return post('/accounts/pix/cashout', { payment, transaction: ORDER, webhook: WEBHOOK });
  },
};

/** The first of a kind prepare statements, and load rows. */
async function costOfWarm(requests: number, kind: (n: number) => Promise<void>): Promise<Cost> {
  for (let n = 0; n < 20; n++) await kind(n);
  return costOf(requests, recorder, log, kind);
}

/** The counts are exact, or the diff says which is not. */
function expectCost(measured: Cost, name: string): void {
  measuredCosts[name] = measured;
  const { walBytes, ...counts } = known.costs[name] ?? { walBytes: 0 };
  const { walBytes: measuredBytes, ...measuredCounts } = measured;
  expect(measuredCounts).toEqual(counts);
  const range = { atLeast: walBytes * (1 - WAL_TOLERANCE), atMost: walBytes * (1 + WAL_TOLERANCE) };
  expect({ ...range, walBytes: measuredBytes }).toEqual({
    ...range,
    walBytes: Math.min(Math.max(measuredBytes, range.atLeast), range.atMost),
  });
}

describe('what bench/costs.json allows, a request', () => {
  it('is what a transfer costs', async () => {
    expectCost(await costOfWarm(200, kinds.transfer!), 'transfer');
  });

  it('is, for a batch, what it is for a single transfer', async () => {
    const [statements, roundTrips] = [recorder.executed.length, recorder.roundTrips.length];
    await Promise.all(Array.from({ length: 64 }, (_, n) => kinds.transfer!(n)));
    const ofLane = (application: string) => application === 'payments lane';
    const batches = recorder.roundTrips.slice(roundTrips).filter(ofLane).length;
    const executed = recorder.executed.slice(statements).filter(({ application }) => ofLane(application)).length;
    expect(batches).toBeLessThan(64);
    expect(executed / batches).toBe(known.costs.transfer!.statements.lane);
  });

  it('is what each of fifty transfers costs that are made in one commit: its last event carries the texts of all', async () => {
    expectCost(await costOfWarm(500, kinds['transfer, one of fifty']!), 'transfer, one of fifty');
  });

  it('is nothing that followers write for a transfer, for statements and searches', async () => {
    // What came before is followed first.
    await followed();
    await log.start();
    for (let n = 0; n < 200; n++) await kinds.transfer!(n);
    await followed();
    const written = writtenOf(200, await log.read(), /^(entry|transaction_search)/);
    expectCost({ statements: {}, roundTrips: {}, ...written }, 'transfer, followed');
  }, 60_000);

  it.each(['creation of a deposit', 'creation of a payout'])('is what the %s costs', async (name) => {
    expectCost(await costOfWarm(100, kinds[name]!), name);
  });

  it('is less than a transfer costs with one index more', async () => {
    await log.query('create index one_more on transaction (partition, amount)');
    const { walBytes, indexEntries } = await costOf(50, recorder, log, kinds.transfer!);
    expect(indexEntries).toEqual({ ...known.costs.transfer!.indexEntries, one_more: 1 });
    await log.query('drop index one_more');
    expect(walBytes).toBeGreaterThan(known.costs.transfer!.walBytes * (1 + WAL_TOLERANCE));
  });

  it('is what a transfer costs in a page where other rows were: its range has a summary, which is written again', async () => {
    // Every row moves, as those of payments do when they change; the vacuum summarises all pages, and leaves room in
    // them.
    await log.query('update transaction set state = state');
    await log.query('vacuum transaction');
    expectCost(await costOfWarm(100, kinds.transfer!), 'transfer, where others were');
  });
});

/** A worker runs until its read models have everything. */
async function followed(): Promise<void> {
  const worker = await startService(server.url, { ROLE: 'worker' });
  try {
    await eventually(() => log.isFollowedBy('entries', 'transaction-search'));
  } finally {
    await worker.stop();
  }
}
