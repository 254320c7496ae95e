import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Answer, call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { csvOf, FILES, payoutCsv, payoutRow } from '../support/payout-files.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

const webhook = { url: 'http://127.0.0.1:65535/hook' };

let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let partner: TestPartner;
let own: string;
let to: string;
let api: PartnerApi;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
  operator = new OperatorApi(service.url);
}, 60_000);

beforeEach(async () => {
  partner = await operator.partner(['100.00', '5.00']);
  [own, to] = partner.accounts as [string, string];
  api = await PartnerApi.login(service.url, partner.credentials);
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

const payout = (value: string) => ({
  payment: { value, key: { type: 'EMAIL', value: 'ana@example.com' }, recipient: { name: 'Ana', cpf: '52998224725' } },
  transaction: { orderId: 'o' },
  webhook,
});
const inTenDays = ({ transaction, ...rest }: ReturnType<typeof payout>) => {
  const scheduledFor = new Date(Date.now() + 864_000_000).toISOString();
  return { ...rest, transaction: { ...transaction, scheduledFor } };
};
const deposit = { payment: { value: { original: '9.00' } }, transaction: { orderId: 'in' }, webhook };
const transfer = (transferAmount: string) => ({ refAccountCredit: to, transferAmount });
const admin = (path: string, body: unknown, headers?: Record<string, string>) =>
  call(service.url, 'POST', `/admin${path}`, { token: ADMIN_TOKEN, body, headers });
const posting = (account: string, bucket: string, amount: string, balanceAfter: string) => ({
  account,
  bucket,
  amount,
  balanceAfter,
});
const balance = (available: string, held = '0.00', blocked = '0.00') => ({ available, held, blocked });

/** Rows of every table that a command could write, once the followers have read everything. */
async function everything(): Promise<Record<string, string>> {
  await eventually(async () => {
    const behind = await database.query(`
      select from log_head h left join subscription s on s.partition = h.partition and s.consumer <> 'tree-nodes'
      where h.position > coalesce(s.position, 0)`);
    return behind.length === 0;
  });
  const tables = await database.query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname = 'public' and not c.relispartition
      and c.relname !~ 'subscription|checkpoint|tree|migrations|work|instance|verification|sweep'`);
  const counts: Record<string, string> = {};
  for (const { name } of tables) {
    // A delivery that is under way goes on meanwhile.
    const columns = name === 'webhook_delivery' ? 'id' : '*';
    const [row] = await database.query<{ digest: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest
       from (select ${columns} from "${name}") t`,
    );
    counts[name] = row!.digest;
  }
  return counts;
}

async function changesNothing(ask: () => Promise<Answer>): Promise<Answer> {
  const before = await everything();
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(['event', 'account', 'idempotency', 'transaction', 'hold']),
  );
  const answer = await ask();
  expect(await everything()).toEqual(before);
  return answer;
}

describe('a dry run', () => {
  it('of a transfer tells postings and balances, and changes nothing', async () => {
    const key = { 'idempotency-key': 'k' };
    const answer = await changesNothing(() => api.post('/accounts/transfer?dryRun=true', transfer('30.00'), key));
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      statusCode: 'Done',
      data: {
        dryRun: true,
        replayed: false,
        postings: [posting(own, 'available', '-30.00', '70.00'), posting(to, 'available', '30.00', '35.00')],
        charges: '0.00',
        balance: balance('70.00'),
        limits: null,
      },
    });
    const other = await api.post('/accounts/transfer', transfer('1.00'), key);
    expect(other.status).toBe(201);
  });

  it('shows nothing to a key that may not read the account', async () => {
    const key = await operator.post(`/accounts/${own}/access-keys`, { permissions: ['transfers:write'] });
    const limited = await PartnerApi.login(service.url, key);
    expect((await limited.post('/accounts/transfer?dryRun=true', transfer('1.00'))).status).toBe(403);
    expect((await limited.post('/accounts/transfer?dryRun=false', transfer('1.00'))).status).toBe(201);
  });

  it('gives the refusal of the run', async () => {
    for (const body of [transfer('500.00'), transfer('0.00'), { ...transfer('1.00'), refAccountCredit: own }, {}]) {
      const dry = await api.post('/accounts/transfer?dryRun=true', body);
      const run = await api.post('/accounts/transfer', body);
      expect([dry.status, dry.body]).toEqual([run.status, run.body]);
      expect(dry.status).toBeGreaterThanOrEqual(400);
    }
  });

  it('says that the run would give the first answer again, or that its key was used', async () => {
    await api.transfer(to, '10.00', 'k');
    const key = { 'idempotency-key': 'k' };
    const again = await api.post('/accounts/transfer?dryRun=true', transfer('10.00'), key);
    expect(again.body.data).toMatchObject({ dryRun: true, replayed: true, postings: [], balance: balance('90.00') });
    expect((await api.post('/accounts/transfer?dryRun=true', transfer('11.00'), key)).status).toBe(409);
  });

  it('of a credit shows what a hold takes of it', async () => {
    const order = { amount: '20.00', cause: 'Judicial', reference: 'R', retryUntil: '2100-01-01' };
    await admin(`/accounts/${to}/holds`, order);
    const answer = await changesNothing(() =>
      admin(`/accounts/${to}/credits?dryRun=true`, { amount: '40.00', reason: 'x' }),
    );
    expect(answer.body.data).toMatchObject({
      postings: [
        posting(to, 'available', '40.00', '40.00'),
        posting(to, 'available', '-15.00', '25.00'),
        posting(to, 'blocked', '15.00', '20.00'),
      ],
      balance: balance('25.00', '0.00', '20.00'),
    });
  });

  it('of holds shows what is blocked, released and executed', async () => {
    const order = { amount: '20.00', cause: 'Judicial', reference: 'R' };
    const placed = await changesNothing(() => admin(`/accounts/${own}/holds?dryRun=true`, order));
    expect([placed.status, placed.body.data.balance]).toEqual([200, balance('80.00', '0.00', '20.00')]);
    const { id } = (await admin(`/accounts/${own}/holds`, order)).body.data;
    const released = await changesNothing(() => admin(`/accounts/${own}/holds/${id}/release?dryRun=true`, {}));
    expect(released.body.data).toMatchObject({ dryRun: true, balance: balance('100.00') });
    const leaves = { amount: '5.00', destination: { kind: 'JudicialTransfer', reference: 'T' } };
    const executed = await changesNothing(() => admin(`/accounts/${own}/holds/${id}/execute?dryRun=true`, leaves));
    expect(executed.body.data).toMatchObject({
      postings: [posting(own, 'blocked', '-5.00', '15.00')],
      balance: balance('80.00', '0.00', '15.00'),
    });
  });

  it('of a decision about a report shows what it makes available', async () => {
    const { transaction, payment } = (await api.post('/accounts/pix/cashin', deposit)).body.data;
    const payer = { name: 'Ana', taxNumber: '52998224725', ispb: '99999008', branch: '0001', number: '1', digit: '8' };
    await call(service.url, 'POST', '/sandbox/pix/payments', { body: { qrCode: payment.qrCode, payer } });
    const { endToEndId } = await eventually(async () => {
      const found = (await api.get(`/accounts/transactions/${transaction.id}`)).body.data.transaction;
      return found.state === 'Completed' && found;
    });
    const report = { endToEndId, amount: '9.00', reason: 'Scam', details: 'Golpe' };
    await call(service.url, 'POST', '/sandbox/pix/infractions', { body: report });
    const { id } = await eventually(async () => (await api.get('/med')).body.data.items[0]);
    const looked = (decision: string) =>
      changesNothing(() => admin(`/med/${id}/decision?dryRun=true`, { decision }, { 'idempotency-key': decision }));
    expect((await looked('Rejected')).body.data).toMatchObject({
      dryRun: true,
      postings: [posting(own, 'blocked', '-9.00', '0.00'), posting(own, 'available', '9.00', '109.00')],
      balance: balance('109.00'),
    });
    expect((await looked('Agreed')).body.data).toMatchObject({
      postings: [],
      balance: balance('100.00', '0.00', '9.00'),
    });
    expect((await admin('/med/none/decision?dryRun=true', { decision: 'Agreed' })).status).toBe(404);
    expect((await admin(`/med/${id}/decision`, { decision: 'Rejected' })).body.data.status).toBe('Rejected');
    expect((await admin(`/med/${id}/decision?dryRun=true`, { decision: 'Agreed' })).status).toBe(422);
  });

  it.each([
    ['a transfer', '/accounts/transfer', () => transfer('1.00')],
    ['a payout', '/accounts/pix/cashout', () => payout('20.00')],
    ['a payout for later', '/accounts/pix/cashout', () => inTenDays(payout('20.00'))],
    ['a deposit', '/accounts/pix/cashin', () => deposit],
  ])("of %s shows the partner's limits for an account that has none of its own", async (_, path, body) => {
    await operator.patch(`/partners/${partner.uid}/limits`, { day: '90.00' });
    const { limits } = (await api.post(`${path}?dryRun=true`, body())).body.data;
    const { day } = (await api.get(`/accounts/${own}/limits`)).body.data;
    expect(limits.byDefault).toContain('day');
    expect([limits.day.limit, day.limit]).toEqual(['90.00', '90.00']);
  });

  it('of payments shows charges, what is held, and what is left of the limits', async () => {
    await operator.patch(`/partners/${partner.uid}/settings`, { cashOutCharge: '0.50', cashInCharge: '0.25' });
    await operator.patch(`/accounts/${own}/limits`, { month: '50.00' });
    const out = await changesNothing(() => api.post('/accounts/pix/cashout?dryRun=true', payout('20.00')));
    expect(out).toMatchObject({
      status: 200,
      body: { data: { charges: '0.50', balance: balance('79.50', '20.50'), limits: { month: { left: '30.00' } } } },
    });
    const beyond = await api.post('/accounts/pix/cashout?dryRun=true', payout('60.00'));
    expect(beyond).toMatchObject({ status: 422, body: { error: { details: { reason: 'MonthLimitExceeded' } } } });
    const into = await changesNothing(() => api.post('/accounts/pix/cashin?dryRun=true', deposit));
    expect(into.body.data).toMatchObject({ charges: '0.25', postings: [], balance: balance('100.00') });
  });

  it('of a refund shows what would be given back', async () => {
    const { transaction, payment } = (await api.post('/accounts/pix/cashin', deposit)).body.data;
    const payer = { name: 'Ana', taxNumber: '52998224725', ispb: '99999008', branch: '0001', number: '1', digit: '8' };
    await call(service.url, 'POST', '/sandbox/pix/payments', { body: { qrCode: payment.qrCode, payer } });
    await eventually(async () => (await api.balance(own)).available === '109.00');
    const path = `/accounts/pix/cashin/${transaction.id}/refunds?dryRun=true`;
    const refund = await changesNothing(() => api.post(path, { amount: '4.00' }));
    expect(refund.body.data).toMatchObject({ dryRun: true, balance: balance('105.00', '4.00') });
    expect((await api.post(path, { amount: '10.00' })).body.error.details.reason).toBe('RefundExceedsOriginal');
  });

  it('of batches shows each item on what those before it would leave', async () => {
    const items = ['60.00', '60.00', '40.00', 'x'].map((amount, i) => ({
      idempotencyKey: `k-${i}`,
      ...transfer(amount),
    }));
    const path = '/accounts/transfers/batch?dryRun=true';
    const answer = await changesNothing(() => api.post(path, { items }, { 'idempotency-key': 'w' }));
    expect(answer.status).toBe(200);
    const { dryRun, items: shown, counts } = answer.body.data;
    expect([dryRun, counts]).toEqual([true, { done: 2, error: 2 }]);
    expect(shown.map(({ status, data, error }: any) => [status, data?.balance.available ?? error.name])).toEqual([
      [200, '40.00'],
      [422, 'OperationError'],
      [200, '0.00'],
      [400, 'InvalidInputError'],
    ]);
    const atomic = await changesNothing(() => api.post(path, { mode: 'atomic', items: items.slice(0, 2) }));
    expect(atomic).toMatchObject({ status: 422, body: { data: { dryRun: true, counts: { done: 0, error: 2 } } } });
    const payouts = ['30.00', '80.00'].map((value, i) => ({ idempotencyKey: `p-${i}`, ...payout(value) }));
    const outs = await changesNothing(() => api.post('/accounts/pix/cashouts/batch?dryRun=true', { items: payouts }));
    expect(outs.body.data.items.map(({ status }: any) => status)).toEqual([200, 422]);
  });

  it('of what is for later moves nothing, and is refused as the request would be', async () => {
    const scheduledFor = new Date(Date.now() + 3_600_000).toISOString();
    const later = (value: string, at = scheduledFor) => {
      const { transaction, ...rest } = payout(value);
      return { ...rest, transaction: { ...transaction, scheduledFor: at } };
    };
    const nothing = { dryRun: true, replayed: false, postings: [], balance: balance('100.00') };
    // More than is there: funds are looked at when its time has come.
    for (const [path, body] of [
      ['/accounts/transfer', { ...transfer('500.00'), scheduledFor }],
      ['/accounts/pix/cashout', later('500.00')],
    ] as const) {
      const dry = await changesNothing(() => api.post(`${path}?dryRun=true`, body));
      expect(dry).toMatchObject({ status: 200, body: { statusCode: 'Done', data: nothing } });
    }
    for (const [path, body] of [
      ['/accounts/transfer', { ...transfer('1.00'), scheduledFor: '2020-01-01T00:00:00.000Z' }],
      ['/accounts/transfer', { ...transfer('1.00'), refAccountCredit: own, scheduledFor }],
      ['/accounts/pix/cashout', later('1.00', '2020-01-01')],
      ['/accounts/pix/cashout', later('0.00')],
    ] as const) {
      const dry = await changesNothing(() => api.post(`${path}?dryRun=true`, body));
      const run = await api.post(path, body);
      expect([dry.status, dry.body]).toEqual([run.status, run.body]);
      expect(dry.status).toBeGreaterThanOrEqual(400);
    }
    const items = [later('1.00'), payout('70.00'), payout('70.00')].map((one, i) => ({
      idempotencyKey: `l-${i}`,
      ...one,
    }));
    const batch = await changesNothing(() => api.post('/accounts/pix/cashouts/batch?dryRun=true', { items }));
    const shown = batch.body.data.items.map(({ status, data }: any) => [status, data?.balance.available]);
    expect(shown).toEqual([
      [200, '100.00'],
      [200, '30.00'],
      [422, undefined],
    ]);
  });

  it('of a file checks it whole, tells what all of it comes to, and accepts nothing', async () => {
    await operator.patch(`/partners/${partner.uid}/settings`, { cashOutCharge: '0.50' });
    const files = (text: string, headers: Record<string, string> = {}) =>
      call(service.url, 'POST', `${FILES}?dryRun=true`, {
        token: api.token,
        body: text,
        headers: { 'content-type': 'text/csv', ...headers },
      });
    const file = await changesNothing(() => files(payoutCsv(1_300), { 'idempotency-key': 'file' }));
    expect([file.status, file.body.data]).toMatchObject([
      200,
      { dryRun: true, lines: 1_300, amount: '1300.00', charges: '650.00', postings: [], balance: balance('100.00') },
    ]);
    const wrong = await changesNothing(() => files(csvOf(payoutRow('a'), 'x')));
    expect(wrong.status).toBe(400);
  });

  it('of a schedule makes neither it nor a run, and tells what the request then does', async () => {
    const { transaction, ...rest } = payout('500.00');
    const startsOn = new Date(Date.now() + 3_600_000).toISOString();
    const of = (made: object, changes: object = {}) => ({ every: 'month', startsOn, count: 3, ...made, ...changes });
    await operator.patch(`/partners/${partner.uid}/settings`, { cashOutCharge: '0.50' });
    const path = '/accounts/schedules';
    for (const [made, charges] of [
      // More than is there: funds are looked at when a run's time has come.
      [{ transfer: transfer('500.00') }, '0.00'],
      [{ cashOut: { ...rest, transaction } }, '0.50'],
    ] as const) {
      const key = { 'idempotency-key': `schedule-${charges}` };
      const dry = await changesNothing(() => api.post(`${path}?dryRun=true`, of(made), key));
      const shown = { dryRun: true, replayed: false, postings: [], charges, balance: balance('100.00'), limits: null };
      expect([dry.status, dry.body]).toEqual([200, { statusCode: 'Done', data: shown }]);
      expect((await api.get(path)).body.data.items.map(({ kind }: any) => kind)).not.toContain(
        'cashOut' in made ? 'CashOut' : 'Transfer',
      );
      const run = await api.post(path, of(made), key);
      expect([run.status, run.headers.get('idempotent-replayed')]).toEqual([201, null]);
      const first = (await api.get(`/accounts/transactions/${run.body.data.runs[0].transactionId}`)).body.data;
      expect(first.transaction).toMatchObject({ state: 'Scheduled', charges });
      expect(await api.balance(own)).toEqual(balance('100.00'));
      const again = await changesNothing(() => api.post(`${path}?dryRun=true`, of(made), key));
      expect(again).toMatchObject({ status: 200, body: { data: { dryRun: true, replayed: true } } });
    }
    for (const body of [
      of({ transfer: transfer('1.00') }, { startsOn: '2020-01-01' }),
      of({ transfer: { ...transfer('1.00'), refAccountCredit: own } }),
      of({ transfer: transfer('1.00') }, { count: undefined, until: startsOn }),
    ]) {
      const dry = await changesNothing(() => api.post(`${path}?dryRun=true`, body));
      const run = await api.post(path, body);
      expect([dry.status, dry.body]).toEqual([run.status, run.body]);
      expect(dry.status).toBeGreaterThanOrEqual(400);
    }
    const neither = await changesNothing(() => api.post(`${path}?dryRun=maybe`, of({ transfer: transfer('1.00') })));
    expect(neither).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'dryRun', code: 'NotAllowed' }] } },
    });
  });

  it.each(['maybe', '', '1', 'true&dryRun=true'])('with the value "%s" is none: 400', async (value) => {
    const answer = await api.post(`/accounts/transfer?dryRun=${value}`, transfer('1.00'));
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'dryRun', code: 'NotAllowed' }] } },
    });
    expect((await api.balance(own)).available).toBe('100.00');
  });

  it.each(['dryrun=true', 'DryRun=1', 'dryRun=false&DRYRUN=true'])(
    'that is asked for as "%s" is none: 400',
    async (query) => {
      const details = [
        { path: expect.stringMatching(/^dryrun$/i), code: 'NotAllowed', message: 'must be written dryRun' },
      ];
      const answer = await api.post(`/accounts/transfer?${query}`, transfer('1.00'));
      expect(answer).toMatchObject({ status: 400, body: { error: { details } } });
      expect((await admin(`/accounts/${to}/credits?${query}`, { amount: '40.00', reason: 'x' })).status).toBe(400);
      expect((await api.balance(own)).available).toBe('100.00');
    },
  );

  it('that is "false" is a run', async () => {
    expect((await api.post('/accounts/transfer?dryRun=false', transfer('1.00'))).status).toBe(201);
  });
});
