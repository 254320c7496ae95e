import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Answer, call, OperatorApi, type TestPartner } from '../support/api.js';
import { ROUTES, type Route, undocumented } from '../support/api-document.js';
import { assertLedgerSound } from '../support/audit.js';
import { FROM_PAGE } from '../support/console.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { FuzzReport } from '../support/fuzz-report.js';
import { asText } from '../support/hostile-values.js';
import { KnownThings } from '../support/known-things.js';
import { headersFor, identifiersOf, stock, type Stocked } from '../support/marketplace.js';
import { FILES } from '../support/payout-files.js';
import { cashInBody, cashOutBody, withMember } from '../support/pix-bodies.js';
import { type DrawnRequest, requestsOf } from '../support/request-arbitraries.js';
import { onceMore, partSeed, seededRun, type SeededRun, tellingHow } from '../support/seeded.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';
import { dayBefore, unknownPayout, timerRuns } from '../support/timers.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

/** `npm run fuzz` makes 20,000 requests and reports them; FUZZ_SEED repeats a run's requests. */
const RUN = seededRun();
/** Routes take turns, so that each finds what the others have made by then. */
const ROUNDS = 5;
/** For routes with many parameters, which nobody has drawn well in a few requests. */
const FURTHER_ROUNDS = 30;
const EVERY_ANSWER = ['x-request-id', 'content-security-policy', 'x-content-type-options', 'cache-control'];

let database: TestDatabase;
let service: Service;
let receiver: Receiver;
let ours: Stocked;
const known = new KnownThings();

beforeAll(async () => {
  database = await createDatabase();
  receiver = await startReceiver((response) => response.end());
  const env = { PUBLIC_URL: 'http://pay.example.com', CHECKPOINT_INTERVAL_SECONDS: '1' };
  service = await startService(database.url, env);
  ours = await stock(service, 'order-1', `http://127.0.0.1:${receiver.port}/hook`);
  const operator = new OperatorApi(service.url);
  await operator.post(`/accounts/${ours.partner.accounts[0]}/credits`, { amount: '1000000.00', reason: 'Fuzz' });
  // What the requests may take out of use is not what they are made with.
  const expendable = await operator.partner(['10.00', '0.00']);
  const auditor = await operator.post('/auditors', { name: 'Everything' });
  ours = { ...ours, auditor };
  introduce(ours, expendable);
  for (let i = 0; i < 12; i++) {
    const body = withMember(cashInBody.account(), 'payment.payer', undefined);
    known.learnDeposit((await ours.session.post('/accounts/pix/cashin', body)).body.data as Record<string, any>);
  }
  const scheduledFor = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const once = { refAccountCredit: ours.partner.accounts[1], transferAmount: '1.00' };
  const transfer = { ...once, scheduledFor };
  for (let n = 1; n <= 3; n++) {
    const made = await ours.session.post('/accounts/transfer', transfer);
    known.add('for later', (made.body.data as { id: string }).id);
    const schedule = { every: 'month', startsOn: scheduledFor, count: 3, transfer: once };
    const repeated = await ours.session.post('/accounts/schedules', schedule);
    known.add('schedule', (repeated.body.data as { id: string }).id);
  }
  await contested();
  await paidOut();
  await blocked(operator);
  await toldOfChanges();
  for (let n = 1; n <= 3; n++) await unknownPayout(database, dayBefore(1), n);
  await timerRuns(database, 'pix-reconcile');
  const cases = await operator.get('/reconciliation/cases');
  known.add('case', ...cases.items.map(({ id }: { id: string }) => id));
  await eventually(async () => receipts().length > 0);
  const checkpoints = await database.query(`select 1 from checkpoint where partition = 0`);
  if (checkpoints.length === 0)
    await eventually(async () => (await call(service.url, 'GET', '/checkpoints/0')).status === 200);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await receiver?.close();
  await database?.drop();
});

/** Accounts have an address for notifications; requests take that of the second one away. */
async function toldOfChanges(): Promise<void> {
  for (const account of ours.partner.accounts) {
    const { token } = ours.session;
    const body = { url: `http://127.0.0.1:${receiver.port}/hook` };
    await call(service.url, 'PUT', `/partners-int/accounts/${account}/webhook`, { token, body });
  }
}

/** Reports about a deposit that no request refunds: each stays open until somebody decides it. */
async function contested(): Promise<void> {
  const { endToEndId } = await paidDeposit('20.00');
  for (let n = 1; n <= 8; n++) {
    const body = { endToEndId, amount: `0.0${n}`, reason: 'Scam' };
    await call(service.url, 'POST', '/sandbox/pix/infractions', { body });
  }
  const cases = await eventually(async () => {
    const { items } = (await ours.session.get('/med')).body.data as { items: { id: string }[] };
    return items.length === 8 && items;
  });
  // A case that was decided takes no defence: each has its own.
  known.add('infraction', ...cases.slice(4).map(({ id }) => id));
  known.add('case to decide', ...cases.slice(0, 4).map(({ id }) => id));
}

async function paidDeposit(amount: string): Promise<{ endToEndId: string }> {
  const body = withMember(cashInBody.account(amount), 'payment.payer', undefined);
  const { id } = (await ours.session.post('/accounts/pix/cashin', body)).body.data.transaction as { id: string };
  await call(service.url, 'POST', `/sandbox/pix/transactions/${id}/complete`);
  return eventually(async () => {
    const { transaction } = (await ours.session.get(`/accounts/transactions/${id}`)).body.data;
    return transaction.state === 'Completed' && (transaction as { endToEndId: string });
  });
}

/** Payouts that are over, so that they may be asked back; some of them are. */
async function paidOut(): Promise<void> {
  const made = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { id } = (await ours.session.post('/accounts/pix/cashout', cashOutBody.key('1.00'))).body.data.transaction;
      return id as string;
    }),
  );
  await eventually(async () => {
    const read = await Promise.all(made.map((id) => ours.session.get(`/accounts/transactions/${id}`)));
    return read.every(({ body }) => body.data.transaction.state === 'Completed');
  });
  known.add('payout', ...made.slice(6));
  const asked = { reason: 'Scam', details: 'Fuzz' };
  for (const id of made.slice(0, 6)) {
    const { body } = await ours.session.post(`/accounts/pix/cashout/${id}/recovery`, asked);
    known.add('recovery', body.data.id);
  }
}

/** Deposits that a rule blocked on their arrival. */
async function blocked(operator: OperatorApi): Promise<void> {
  const rules = `/partners/${ours.partner.uid}/cautionary-rules`;
  const { id: rule } = await operator.post(rules, { name: 'Fuzz', amountAbove: '49.99', companies: true });
  for (let n = 1; n <= 3; n++) await paidDeposit('50.00');
  const holds = await eventually(async () => {
    const { items } = await operator.get(`/accounts/${ours.partner.accounts[0]}/holds`);
    const arrived = (items as { id: string; cause: string }[]).filter(({ cause }) => cause === 'Cautionary');
    return arrived.length === 3 && arrived;
  });
  known.add('blocked deposit', ...holds.map(({ id }) => `${ours.partner.accounts[0]}/${id}`));
  await operator.post(`${rules}/${rule}/remove`, {});
}

/** Requests release what others would execute. */
async function newHold(): Promise<string> {
  const [account] = ours.partner.accounts;
  const order = { amount: '9.00', cause: 'Judicial', reference: 'Fuzz' };
  const { id } = await new OperatorApi(service.url).post(`/accounts/${account}/holds`, order);
  return `${account}/${id}`;
}

function introduce({ partner, openCashIn, paidCashIn, ...one }: Stocked, expendable: TestPartner): void {
  const partitions = [0, Number.parseInt(partner.accounts[0]!.slice(15, 18), 16)];
  known
    .add('anything', ...Object.values(identifiersOf(ours)), ...expendable.accounts, "it's nobody's")
    .add('expendable', expendable.uid, ...expendable.accounts, expendable.credentials.accessKey, openCashIn)
    .add('partner', partner.uid, expendable.uid)
    .add('expendable partner', expendable.uid)
    .add('account', ...partner.accounts)
    .add('account to be told nothing', partner.accounts[1])
    .add('expendable account', ...expendable.accounts)
    .add('credentials', partner.credentials)
    .add('credential', ADMIN_TOKEN, one.auditor.token)
    .add('session', one.console.cookie)
    .add('access key', expendable.credentials.accessKey)
    .add('transaction', one.transfer, openCashIn, paidCashIn, one.cashOut, one.refund)
    .add('destination', partner.accounts[1])
    .add('paid cash-in', paidCashIn)
    .add('payout', one.cashOut)
    .add('txid', openCashIn.replaceAll('-', ''))
    .add('deposit to show', openCashIn)
    .add('delivery', one.delivery)
    .add('endToEndId', one.endToEndId)
    .add('partition', ...partitions)
    .add('webhook url', `http://127.0.0.1:${receiver.port}/hook`);
}

/** `id/token` of the receipts that webhooks have named so far. */
function receipts(): string[] {
  const addresses = receiver.received.map(
    ({ body }) => (JSON.parse(body) as Record<string, string>).transactionReceipt,
  );
  return addresses.flatMap((address) => /receipts\/(.+)$/.exec(address ?? '')?.[1] ?? []);
}

async function send(route: Route, drawn: DrawnRequest): Promise<{ path: string; answer: Answer }> {
  const path = (drawn.nextPage && (known.resolve(drawn.nextPage) as string | undefined)) ?? pathOf(route, drawn);
  const session = drawn.session && { ...FROM_PAGE, cookie: String(known.resolve(drawn.session)) };
  const headers: Record<string, string> = {
    ...(session ?? headersFor(route, ours)),
    ...(drawn.key && { 'idempotency-key': drawn.key }),
  };
  const body = known.resolve(drawn.body);
  if (route.name === `post ${FILES}` && typeof body === 'string') headers['content-type'] = 'text/csv';
  return { path, answer: await call(service.url, route.method.toUpperCase(), path, { headers, body }) };
}

function pathOf(route: Route, drawn: DrawnRequest): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(asText(known.resolve(drawn.path[name]))),
  );
  // A list is a parameter given several times.
  const query = Object.entries(drawn.query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value.slice(0, 3) : [value]).map((one): [string, string] => [
      name,
      asText(known.resolve(one)),
    ]),
  );
  return query.length === 0 ? path : `${path}?${new URLSearchParams(query).toString()}`;
}

function assertDocumented(route: Route, path: string, answer: Answer): void {
  if (answer.status >= 500) throw new Error(`${route.method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  const fault = undocumented(route, answer);
  if (fault) throw new Error(`${path}: ${fault}`);
  const missing = EVERY_ANSWER.filter((name) => !answer.headers.has(name));
  if (missing.length > 0) throw new Error(`${route.name} ${answer.status} lacks ${missing.join(', ')}`);
}

/** A route's part of a round. */
async function draw(
  run: SeededRun,
  round: number,
  i: number,
  each: (drawn: DrawnRequest) => Promise<void>,
): Promise<void> {
  const numRuns = Math.ceil(run.runs / ROUNDS / ROUTES.length);
  await fc.assert(fc.asyncProperty(requestsOf(ROUTES[i]!), each), { numRuns, seed: partSeed(run, round, i) });
}

/** A file of a few lines is over before a request could cancel it: that it says so is all that can be tried here. */
const CANCEL_FILE = 'post /partners-int/payouts/files/{id}/cancel';

/** What a dry run would have made, nobody can ask for later. */
function wasTried({ name }: Route, { status, body }: Answer): boolean {
  return (status < 300 && body?.data?.dryRun !== true) || (name === CANCEL_FILE && status === 422);
}

describe('any request', () => {
  it('gets a documented answer that fits its schema, and never a fault of the server', async () => {
    process.stdout.write(`The fuzz's requests once more: ${onceMore(RUN)}\n`);
    await tellingHow(RUN, async () => {
      const report = new FuzzReport(RUN.seed);
      const tried = new Set<Route>();
      const refused = (route: Route) => !tried.has(route);
      for (let round = 0; round < ROUNDS + FURTHER_ROUNDS; round++) {
        known.add('receipt', ...receipts());
        known.add('hold', await newHold());
        const { body } = await ours.session.get('/med');
        known.add('infraction', ...body.data.items.map(({ id }: { id: string }) => id));
        for (const [i, route] of ROUTES.entries()) {
          if (round >= ROUNDS && !refused(route)) continue;
          await draw(RUN, round, i, async (drawn) => {
            const { path, answer } = await send(route, drawn);
            report.count(route, answer.status);
            if (wasTried(route, answer)) tried.add(route);
            known.learn(route, path, answer);
            assertDocumented(route, path, answer);
          });
        }
      }
      if (process.env.FUZZ_REPORT) process.stdout.write(report.text());
      expect(report.total).toBeGreaterThanOrEqual(RUN.runs);
      // A route that only ever refuses was not tried.
      expect(ROUTES.filter(refused).map(({ name }) => name)).toEqual([]);
      expect((await call(service.url, 'GET', '/health/ready')).status).toBe(200);
      await assertLedgerSound(database);
    });
  }, 900_000);
});

describe('a seed', () => {
  const requests = async (seed: string) => {
    const run = seededRun({ FUZZ_SEED: seed, FUZZ_RUNS: '1100' });
    const drawn: DrawnRequest[] = [];
    for (const i of ROUTES.keys()) await draw(run, 1, i, async (one) => void drawn.push(one));
    return drawn;
  };

  it('draws the same requests again, and another one others', async () => {
    const first = await requests('111804');
    expect(first.length).toBeGreaterThanOrEqual(1_100 / ROUNDS);
    expect(await requests('111804')).toEqual(first);
    expect(await requests('111805')).not.toEqual(first);
    expect(() => seededRun({ FUZZ_SEED: 'x' })).toThrow('FUZZ_SEED');
  });

  it('is told by a failure', async () => {
    const run = seededRun({ FUZZ_SEED: '7', FUZZ_RUNS: '42' });
    const failed = tellingHow(run, () => Promise.reject(new Error('what was wrong')));
    await expect(failed).rejects.toMatchObject({
      message: expect.stringContaining('FUZZ_SEED=7 FUZZ_RUNS=42 npm run fuzz'),
      cause: { message: 'what was wrong' },
    });
  });
});
