import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-cli.js';
import { MovingClock } from '../support/moving-clock.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { alike } from '../support/payout-limits.js';
import { type Service, SETTINGS, startService } from '../support/service.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let clock: MovingClock;
/** The key that signs checkpoints is in it. */
let dataDir: string;
let database: TestDatabase;
let service: Service;
let receiver: PartnerReceiver;
let operator: OperatorApi;

beforeAll(async () => {
  clock = await MovingClock.make();
  database = await createDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'payments-schedules-'));
  service = await startService(database.url, { ...clock.settings, DATA_DIR: dataDir });
  operator = new OperatorApi(service.url);
  // Signatures are another test's: their time is that of the moving clock, for which the receiver would refuse them.
  receiver = await PartnerReceiver.start([]);
}, 60_000);

afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
  await database?.drop();
  await clock?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

/** Tokens live for an hour: whoever has waited for days logs in again, once the service goes by the new time. */
const login = ({ credentials: body }: Pick<TestPartner, 'credentials'>) =>
  eventually(async () => {
    const { token, expiresAt } = (await call(service.url, 'POST', '/partners-int/login', { body })).body.data;
    return new Date(expiresAt) > clock.now() && PartnerApi.withToken(service.url, token);
  });
const inMs = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds).toISOString();

const transfer = (api: PartnerApi, to: string, changes: object = {}, key?: string) =>
  api.post(
    '/accounts/transfer',
    { refAccountCredit: to, transferAmount: '10.50', transferDescription: 'Rent', scheduledFor: inMs(DAY), ...changes },
    key ? { 'idempotency-key': key } : {},
  );

const payout = (api: PartnerApi, order: object = {}, changes: object = {}) =>
  api.post('/accounts/pix/cashout', {
    payment: { value: '7.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
    transaction: { orderId: 'later', scheduledFor: inMs(DAY), ...order },
    webhook: { url: 'https://partner.example/hook' },
    ...changes,
  });

const read = async (api: PartnerApi, id: string) => (await api.get(`/accounts/transactions/${id}`)).body.data;
const inState = (api: PartnerApi, id: string, state: string) =>
  eventually(async () => {
    const { transaction } = await read(api, id);
    return transaction.state === state && transaction;
  });
const available = async (api: PartnerApi, uid: string) => (await api.balance(uid)).available;
const waiting = async (api: PartnerApi) =>
  (await api.get('/accounts/transactions?state=Scheduled')).body.data.items.map((one: any) => one.transaction.id);

describe('a transfer for later', () => {
  it('holds nothing, shows in the list, and is made once at its time', async () => {
    const partner = await operator.partner(['100.00', '0.00']);
    const [from, to] = partner.accounts as [string, string];
    let api = await login(partner);
    const scheduledFor = inMs(DAY);
    const first = await transfer(api, to, { scheduledFor }, 'rent');
    const again = await transfer(api, to, { scheduledFor }, 'rent');
    expect([first.status, first.body]).toEqual([
      201,
      { statusCode: 'Incomplete', data: { id: first.body.data.id, scheduledFor, state: 'Scheduled' } },
    ]);
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true']);
    const { id } = first.body.data;
    expect(await api.balance(from)).toEqual({ available: '100.00', held: '0.00', blocked: '0.00' });
    expect(await waiting(api)).toEqual([id]);
    const { transaction } = await read(api, id);
    expect(transaction).toMatchObject({ state: 'Scheduled', scheduledFor, amount: '-10.50', orderDescription: 'Rent' });
    expect(transaction).not.toHaveProperty('timerId');

    await clock.advance(DAY + MINUTE);
    api = await login(partner);
    const done = await inState(api, id, 'Completed');
    expect(Object.keys(done.stateDates)).toEqual(['Scheduled', 'Completed']);
    expect([await available(api, from), await available(api, to)]).toEqual(['89.50', '10.50']);
    expect(await waiting(api)).toEqual([]);
    await eventually(async () => {
      const { items } = (await api.get(`/accounts/${from}/statement`)).body.data;
      return items[0].transactionId === id && items[0].amount === '-10.50' && items[0].description === 'Rent';
    });
  });

  it('is decided by the funds and the rules of its time', async () => {
    const partner = await operator.partner(['5.00', '0.00', '0.00']);
    const [from, to, closed] = partner.accounts as [string, string, string];
    let api = await login(partner);
    const poor = (await transfer(api, to)).body.data.id;
    const rich = (await transfer(api, closed, { transferAmount: '1.00' })).body.data.id;
    await operator.post(`/accounts/${closed}/deactivate`, { reason: 'test' });
    await clock.advance(DAY + MINUTE);
    api = await login(partner);
    expect(await inState(api, poor, 'Error')).toMatchObject({ errorReason: 'CustomerAccountInsufficientFunds' });
    expect(await inState(api, rich, 'Error')).toMatchObject({ errorReason: 'DestinationAccountIsNotActive' });
    expect(await available(api, from)).toBe('5.00');
  });

  it('waits for funds as long as it was told', async () => {
    const partner = await operator.partner(['5.00', '0.00']);
    const [from, to] = partner.accounts as [string, string];
    let api = await login(partner);
    const patient = (await transfer(api, to, { retryUntil: inMs(3 * DAY) })).body.data;
    const short = (await transfer(api, to, { transferAmount: '50.00', retryUntil: inMs(2 * DAY) })).body.data;
    expect(patient).toMatchObject({ state: 'Scheduled', retryUntil: expect.stringMatching(/Z$/) });
    await clock.advance(DAY + MINUTE);
    api = await login(partner);
    await eventually(async () => {
      const rows = await database.query(`select attempts from work where kind = 'scheduled-run' and due_at > $1`, [
        clock.now(),
      ]);
      return rows.length === 2;
    });
    expect(await waiting(api)).toHaveLength(2);
    await operator.post(`/accounts/${from}/credits`, { amount: '20.00', reason: 'test' });
    await clock.advance(2 * MINUTE);
    await inState(api, patient.id, 'Completed');
    await clock.advance(DAY);
    api = await login(partner);
    expect(await inState(api, short.id, 'Error')).toMatchObject({ errorReason: 'CustomerAccountInsufficientFunds' });
    expect(await available(api, from)).toBe('14.50');
  });

  it.each([
    ['the past', () => ({ scheduledFor: '2020-01-04' }), 'ScheduledForNotAllowed'],
    ['more than a year', () => ({ scheduledFor: inMs(367 * DAY) }), 'ScheduledForNotAllowed'],
    ['funds until before', () => ({ retryUntil: inMs(DAY - MINUTE) }), 'RetryUntilNotAllowed'],
    ['funds for too long', () => ({ retryUntil: inMs(32 * DAY) }), 'RetryUntilNotAllowed'],
  ])('is not for %s', async (_name, changes, reason) => {
    const partner = await operator.partner(['5.00', '0.00']);
    const { status, body } = await transfer(await login(partner), partner.accounts[1]!, changes());
    expect([status, body.error.name, body.error.details.reason]).toEqual([400, 'InvalidInputError', reason]);
  });

  it('has its shape, and what cannot become right, refused at once', async () => {
    const partner = await operator.partner(['5.00', '0.00']);
    const api = await login(partner);
    const bad = await transfer(api, partner.accounts[1]!, { scheduledFor: '2027-02-30', retryUntil: 7 });
    expect(bad.body.error.details.map(({ path, code }: any) => `${path} ${code}`)).toEqual([
      'scheduledFor InvalidFormat',
      'retryUntil InvalidType',
    ]);
    const alone = await transfer(api, partner.accounts[1]!, { scheduledFor: undefined, retryUntil: inMs(DAY) });
    expect(alone.body.error.details).toMatchObject([{ path: 'retryUntil', code: 'NotAllowed' }]);
    expect((await transfer(api, 'nobody')).status).toBe(404);
    const same = await transfer(api, partner.accounts[0]!);
    expect(same.body.error.details.reason ?? same.body.error.details.entityName).toBe(
      'TransferToSameAccountNotAllowed',
    );
  });

  it('on a date runs at six in São Paulo', async () => {
    const partner = await operator.partner(['5.00', '0.00']);
    const api = await login(partner);
    const day = inMs(3 * DAY).slice(0, 10);
    const { scheduledFor } = (await transfer(api, partner.accounts[1]!, { scheduledFor: day })).body.data;
    expect(scheduledFor).toBe(`${day}T09:00:00.000Z`);
    const local = await transfer(api, partner.accounts[1]!, { scheduledFor: `${day}T23:30` });
    expect(local.body.data.scheduledFor).toBe(new Date(`${day}T23:30:00-03:00`).toISOString());
  });
});

describe('what waits', () => {
  it('is cancelled until its time, by whoever may make it', async () => {
    const partner = await operator.partner(['50.00', '0.00']);
    const [from, to] = partner.accounts as [string, string];
    let api = await login(partner);
    const { id } = (await transfer(api, to)).body.data;
    const credentials = await operator.post(`/accounts/${from}/access-keys`, { permissions: ['pix:cashout'] });
    const reader = await login({ credentials });
    expect((await reader.post(`/accounts/transactions/${id}/cancel`)).status).toBe(403);
    const other = await login(await operator.partner(['0.00']));
    expect((await other.post(`/accounts/transactions/${id}/cancel`)).status).toBe(404);
    const payee = await login({ credentials: await operator.post(`/accounts/${to}/access-keys`, {}) });
    expect((await read(payee, id)).transaction.state).toBe('Scheduled');
    expect((await payee.post(`/accounts/transactions/${id}/cancel`)).status).toBe(404);
    expect(await waiting(api)).toEqual([id]);
    const cancelled = await api.post(`/accounts/transactions/${id}/cancel`);
    expect([cancelled.status, cancelled.body.data.transaction.state]).toEqual([200, 'Cancelled']);
    const again = await api.post(`/accounts/transactions/${id}/cancel`);
    expect([again.status, again.body.error.details.reason]).toEqual([422, 'TransitionNotAllowed']);
    const now = (await api.transfer(to, '1.00')).body.data.id;
    expect((await api.post(`/accounts/transactions/${now}/cancel`)).status).toBe(422);
    expect(await waiting(api)).toEqual([]);
    await eventually(async () => (await database.query(`select from work where subject = $1`, [id])).length === 0);
    await clock.advance(DAY + MINUTE);
    api = await login(partner);
    expect(await available(api, from)).toBe('49.00');
  });

  it('is either cancelled or made, when both come at once', async () => {
    const partner = await operator.partner(['500.00', '0.00']);
    const [from, to] = partner.accounts as [string, string];
    const api = await login(partner);
    const scheduledFor = inMs(5_000);
    const items = Array.from({ length: 40 }, (_, n) => ({
      ...{ idempotencyKey: `race-${n}`, refAccountCredit: to, transferAmount: '1.00', scheduledFor },
    }));
    const made = (await api.post('/accounts/transfers/batch', { items })).body.data.items;
    const ids: string[] = made.map(({ data }: any) => data.id);
    await eventually(async () => clock.now() >= new Date(scheduledFor));
    const answers = await Promise.all(ids.map((id) => api.post(`/accounts/transactions/${id}/cancel`)));
    const ends = await Promise.all(
      ids.map((id) =>
        eventually(async () => {
          const { state } = (await read(api, id)).transaction;
          return state !== 'Scheduled' && state;
        }),
      ),
    );
    ends.forEach((state, i) => expect(state).toBe(answers[i]!.status === 200 ? 'Cancelled' : 'Completed'));
    const paid = ends.filter((state) => state === 'Completed').length;
    expect(await available(api, from)).toBe(`${500 - paid}.00`);
  });
});

describe('a payout for later', () => {
  it('is registered, paid and told at its time', async () => {
    const partner = await operator.partner(['100.00', '0.00']);
    const [from] = partner.accounts as [string];
    let api = await login(partner);
    const webhook = { url: receiver.url('/later'), customHeaderName: 'x-key', customHeaderValue: 'a secret' };
    const { status, body } = await payout(api, {}, { webhook });
    expect([status, body.statusCode, body.data.transaction.state]).toEqual([201, 'Incomplete', 'Scheduled']);
    const { id } = body.data.transaction;
    expect(await api.balance(from)).toEqual({ available: '100.00', held: '0.00', blocked: '0.00' });
    const before = await read(api, id);
    expect(before.transaction).toMatchObject({
      endToEndId: null,
      charges: '0.00',
      scheduledFor: body.data.scheduledFor,
    });
    expect(before.payment.key).toEqual({ type: 'EMAIL', value: 'maria@example.com' });
    await clock.advance(DAY + MINUTE);
    api = await login(partner);
    const done = await inState(api, id, 'Completed');
    expect(Object.keys(done.stateDates)).toEqual(['Scheduled', 'Registered', 'Completed']);
    expect(done.endToEndId).toMatch(/^E/);
    expect(await api.balance(from)).toEqual({ available: '93.00', held: '0.00', blocked: '0.00' });
    const told = await receiver.arrived('/later', 2);
    expect(told.map(({ body: text }) => JSON.parse(text).transactionState)).toEqual(['Registered', 'Completed']);
  });

  it('ends with the reason where it cannot be made, and may be cancelled before', async () => {
    const partner = await operator.partner(['5.00', '0.00']);
    let api = await login(partner);
    const poor = (await payout(api, { orderId: 'poor' })).body.data.transaction.id;
    const taken = (await payout(api, { orderId: 'taken' })).body.data.transaction.id;
    const cancelled = await api.post(`/accounts/transactions/${taken}/cancel`);
    expect(cancelled.body.data).toMatchObject({ transaction: { state: 'Cancelled' } });
    await clock.advance(DAY + MINUTE);
    api = await login(partner);
    expect(await inState(api, poor, 'Error')).toMatchObject({ errorReason: 'CustomerAccountInsufficientFunds' });
  });

  it('to somebody who was forgotten meanwhile ends with that, and nothing leaves', async () => {
    const partner = await operator.partner(['50.00']);
    let api = await login(partner);
    const { id } = (await payout(api)).body.data.transaction;
    const forgotten = await runLedger(['forget', '--partner', partner.uid, '--tax-number', '52998224725'], {
      ...clock.settings,
      DATABASE_URL: database.url,
      RETENTION_YEARS: '0',
    });
    expect(forgotten).toMatchObject({ code: 0 });
    await clock.advance(DAY + MINUTE);
    api = await login(partner);
    const ended = await inState(api, id, 'Error');
    expect([ended.errorReason, ended.endToEndId]).toEqual(['RecipientForgotten', null]);
    expect(await available(api, partner.accounts[0]!)).toBe('50.00');
  });

  it('counts for the limit of its payee when its time has come', async () => {
    const partner = await operator.partner(['100.00']);
    await operator.patch(`/accounts/${partner.accounts[0]}/limits`, { payee: alike('10.00') });
    let api = await login(partner);
    // At noon in São Paulo: no period ends between two of them.
    const day = inMs(2 * DAY).slice(0, 10);
    const atNoon = async (second: number, cpf = '52998224725') => {
      const order = { orderId: `at-noon-${second}`, scheduledFor: `${day}T12:00:0${second}` };
      const payment = { value: '7.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf } };
      return (await payout(api, order, { payment })).body.data.transaction.id as string;
    };
    const [first, second, other] = [await atNoon(0), await atNoon(4), await atNoon(5, '11144477735')];
    await clock.setTo(new Date(`${day}T15:00:00Z`));
    api = await login(partner);
    await inState(api, first, 'Completed');
    expect(await inState(api, second, 'Error')).toMatchObject({ errorReason: 'PayeeDayLimitExceeded' });
    await inState(api, other, 'Completed');
    const uses = await database.query(`select uses from payee_uses where id like $1`, [`${partner.accounts[0]}/%`]);
    const used = uses.flatMap((row: any) => Object.values(row.uses)).map(({ used: amount }: any) => amount);
    expect(used.sort()).toEqual(['700', '700']);
    expect(await available(api, partner.accounts[0]!)).toBe('86.00');
  });

  it('counts for limits that its partner has by default, and to a secure contact for its own', async () => {
    const partner = await operator.partner(['100.00']);
    const contact = { name: 'Maria Silva', taxNumber: '11144477735', limits: alike('9.00') };
    await operator.post(`/accounts/${partner.accounts[0]}/contacts`, contact);
    let api = await login(partner);
    // At noon in São Paulo: no period ends between two of them. The contact is in force by then.
    const day = inMs(3 * DAY).slice(0, 10);
    const atNoon = async (second: number, value: string, cpf: string) => {
      const order = { orderId: `at-noon-${second}`, scheduledFor: `${day}T12:00:0${second}` };
      const payment = { value, key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf } };
      return (await payout(api, order, { payment })).body.data.transaction.id as string;
    };
    const ids = [
      await atNoon(0, '7.00', '52998224725'),
      await atNoon(3, '7.00', '52998224725'),
      await atNoon(4, '8.00', '11144477735'),
      await atNoon(7, '2.00', '11144477735'),
    ] as const;
    // Nobody had it when they were asked for.
    await operator.patch(`/partners/${partner.uid}/limits`, alike('10.00'));
    await clock.setTo(new Date(`${day}T15:00:00Z`));
    api = await login(partner);
    await inState(api, ids[0], 'Completed');
    const refusal = { errorReason: 'DayLimitExceeded' };
    expect(await inState(api, ids[1], 'Error')).toMatchObject(refusal);
    await inState(api, ids[2], 'Completed');
    expect(await inState(api, ids[3], 'Error')).toMatchObject(refusal);
    expect(await available(api, partner.accounts[0]!)).toBe('85.00');
    const { items } = (await api.get(`/accounts/${partner.accounts[0]}/contacts`)).body.data;
    expect(items[0].limits.day.used).toBe('8.00');
    expect((await api.get(`/accounts/${partner.accounts[0]}/limits`)).body.data.day.used).toBe('7.00');
  }, 30_000);

  it('may be an item of a batch, beside those for now', async () => {
    const partner = await operator.partner(['20.00']);
    let api = await login(partner);
    const item = (idempotencyKey: string, transaction: object) => ({
      idempotencyKey,
      payment: { value: '7.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: idempotencyKey, ...transaction },
      webhook: { url: 'https://partner.example/hook' },
    });
    const scheduledFor = inMs(DAY);
    const items = [
      item('now', {}),
      item('later', { scheduledFor, retryUntil: inMs(2 * DAY) }),
      item('past', { scheduledFor: '2020-01-01' }),
      item('cancelled', { scheduledFor }),
    ];
    const send = async () => (await api.post('/accounts/pix/cashouts/batch', { items })).body.data;
    const answer = await send();
    expect(answer.counts).toEqual({ done: 3, error: 1 });
    const [now, later, past, cancelled] = answer.items;
    expect([now, later, past, cancelled].map(({ status, data }) => [status, data?.transaction.state])).toEqual([
      [201, 'Registered'],
      [201, 'Scheduled'],
      [400, undefined],
      [201, 'Scheduled'],
    ]);
    expect(past.error.details).toMatchObject({
      reason: 'ScheduledForNotAllowed',
      property: 'transaction.scheduledFor',
    });
    expect(later.data).toMatchObject({ scheduledFor, retryUntil: expect.any(String) });
    const again = await send();
    expect(again.items.map(({ data, replayed }: any) => [data, replayed])).toEqual(
      answer.items.map(({ data }: any) => [data, data && true]),
    );
    // A key is the single route's too.
    const { idempotencyKey, ...body } = items[1]!;
    const single = await api.post('/accounts/pix/cashout', body, { 'idempotency-key': idempotencyKey });
    expect([single.headers.get('idempotent-replayed'), single.body.data]).toEqual(['true', later.data]);
    await inState(api, now.data.transaction.id, 'Completed');
    expect(await api.balance(partner.accounts[0]!)).toEqual({ available: '13.00', held: '0.00', blocked: '0.00' });
    expect((await api.post(`/accounts/transactions/${cancelled.data.transaction.id}/cancel`)).status).toBe(200);
    expect(await waiting(api)).toEqual([later.data.transaction.id]);
    await clock.advance(DAY + MINUTE);
    api = await login(partner);
    await inState(api, later.data.transaction.id, 'Completed');
    expect(await available(api, partner.accounts[0]!)).toBe('6.00');
  });

  it('is not of a code', async () => {
    const api = await login(await operator.partner(['5.00']));
    const { body } = await payout(api, {}, { payment: { qrCode: '00020126' } });
    expect(body.error.details).toEqual(
      expect.arrayContaining([expect.objectContaining({ path: 'transaction.scheduledFor', code: 'NotAllowed' })]),
    );
  });
});

describe('a schedule', () => {
  /** What the account of a partner's key is told. */
  const listener = async (partner: TestPartner, { token }: PartnerApi) => {
    const path = `/${partner.uid}`;
    const address = `/partners-int/accounts/${partner.accounts[0]}/webhook`;
    const set = await call(service.url, 'PUT', address, { token, body: { url: receiver.url(path) } });
    expect(set.status).toBe(200);
    return async (count: number): Promise<any[]> => {
      const receipts = await receiver.arrived(path, count);
      return receipts.map(({ body }) => JSON.parse(body));
    };
  };
  const repeat = (api: PartnerApi, changes: object, key?: string) =>
    api.post(
      '/accounts/schedules',
      { every: 'month', startsOn: inMs(DAY), count: 3, ...changes },
      key ? { 'idempotency-key': key } : {},
    );
  const schedule = async (api: PartnerApi, id: string) => (await api.get(`/accounts/schedules/${id}`)).body.data;
  const made = (api: PartnerApi, id: string, runs: readonly string[]) =>
    eventually(async () => {
      const found = await schedule(api, id);
      return JSON.stringify(found.runs.map(({ state }: any) => state)) === JSON.stringify(runs) && found;
    });

  it('makes its runs one after the other, each a transfer of its own, and told', async () => {
    const partner = await operator.partner(['100.00', '0.00']);
    const [from, to] = partner.accounts as [string, string];
    let api = await login(partner);
    const told = await listener(partner, api);
    const body = { transfer: { refAccountCredit: to, transferAmount: '10.00', transferDescription: 'Rent' } };
    const first = await repeat(api, { ...body, startsOn: inMs(DAY).slice(0, 10) }, 'monthly');
    const again = await repeat(api, { ...body, startsOn: inMs(DAY).slice(0, 10) }, 'monthly');
    expect([first.status, first.body.statusCode, again.body]).toEqual([201, 'Incomplete', first.body]);
    const { id, runs } = first.body.data;
    const nextRun = runs[0].scheduledFor;
    expect(first.body.data).toMatchObject({ state: 'Active', kind: 'Transfer', count: 3, amount: '10.00', nextRun });
    expect(runs).toMatchObject([{ number: 1, state: 'Scheduled' }]);
    expect(await waiting(api)).toEqual([runs[0].transactionId]);

    await clock.setTo(new Date(Date.parse(runs[0].scheduledFor) + MINUTE));
    api = await login(partner);
    const second = await made(api, id, ['Completed', 'Scheduled']);
    expect(second.nextRun).toBe(second.runs[1].scheduledFor);
    expect((await read(api, second.runs[1].transactionId)).transaction).toMatchObject({
      state: 'Scheduled',
      scheduleId: id,
      orderDescription: 'Rent',
    });
    await clock.setTo(new Date(Date.parse(second.nextRun) + MINUTE));
    api = await login(partner);
    const third = await made(api, id, ['Completed', 'Completed', 'Scheduled']);
    expect(third).toMatchObject({ state: 'Active', nextRun: third.runs[2].scheduledFor });
    await clock.setTo(new Date(Date.parse(third.runs[2].scheduledFor) + MINUTE));
    api = await login(partner);
    expect(await made(api, id, ['Completed', 'Completed', 'Completed'])).toMatchObject({
      state: 'Ended',
      nextRun: null,
    });
    expect([await available(api, from), await available(api, to)]).toEqual(['70.00', '30.00']);
    const { runs: all } = await schedule(api, id);
    expect((await told(3)).map(({ type, data }) => [type, data.id, data.amount])).toEqual(
      all.map(({ transactionId }: any) => ['transfer.settled', transactionId, '10.00']),
    );
    expect((await call(service.url, 'DELETE', `/partners-int/accounts/schedules/${id}`, api)).status).toBe(422);
  }, 30_000);

  it('of payouts numbers their orders, tells each, and stops when it is cancelled', async () => {
    const partner = await operator.partner(['100.00', '0.00']);
    const [from] = partner.accounts as [string];
    let api = await login(partner);
    const cashOut = {
      payment: { value: '7.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: 'wage', orderDescription: 'Wage' },
      webhook: { url: receiver.url('/wages'), customHeaderName: 'x-key', customHeaderValue: 'a secret' },
    };
    const { body } = await repeat(api, { every: 'week', retryForHours: 24, cashOut });
    const { id, runs } = body.data;
    await clock.setTo(new Date(Date.parse(runs[0].scheduledFor) + MINUTE));
    api = await login(partner);
    const now = await made(api, id, ['Completed', 'Scheduled']);
    expect((await read(api, runs[0].transactionId)).transaction.orderId).toBe('wage-1');
    const next = await read(api, now.runs[1].transactionId);
    expect(next.transaction).toMatchObject({ orderId: 'wage-2', orderDescription: 'Wage', scheduleId: id });
    expect(next.payment.key.value).toBe('maria@example.com');
    const other = await login(await operator.partner(['0.00']));
    expect((await other.get(`/accounts/schedules/${id}`)).status).toBe(404);
    const cancelled = await call(service.url, 'DELETE', `/partners-int/accounts/schedules/${id}`, api);
    expect(cancelled.body.data).toMatchObject({ state: 'Cancelled', nextRun: null });
    expect(cancelled.body.data.runs.map(({ state }: any) => state)).toEqual(['Completed', 'Cancelled']);
    expect((await api.get('/accounts/schedules')).body.data.items.map((one: any) => one.id)).toEqual([id]);
    await eventually(async () => {
      const rows = await database.query(`select from work where payload ->> 'partnerUid' = $1`, [partner.uid]);
      return rows.length === 0;
    });
    expect(await available(api, from)).toBe('93.00');
    const told = await receiver.arrived('/wages', 3);
    expect(told.every(({ headers }) => headers['x-key'] === 'a secret')).toBe(true);
    const states = told.map(({ body: text }) => JSON.parse(text) as Record<string, unknown>);
    expect(states.map((one) => [one.transactionOrderId, one.transactionState])).toEqual([
      ['wage-1', 'Registered'],
      ['wage-1', 'Completed'],
      ['wage-2', 'Cancelled'],
    ]);
  }, 30_000);

  it('is cancelled with a run that waits for funds, though the next one was made', async () => {
    const partner = await operator.partner(['0.00', '0.00']);
    const [from, to] = partner.accounts as [string, string];
    let api = await login(partner);
    const transfer = { refAccountCredit: to, transferAmount: '10.00' };
    const { body } = await repeat(api, { every: 'week', retryForHours: 48, transfer });
    const { id, runs } = body.data;
    await clock.setTo(new Date(Date.parse(runs[0].scheduledFor) + MINUTE));
    api = await login(partner);
    await made(api, id, ['Scheduled', 'Scheduled']);
    const cancelled = await call(service.url, 'DELETE', `/partners-int/accounts/schedules/${id}`, api);
    expect(cancelled.body.data).toMatchObject({ state: 'Cancelled', nextRun: null });
    expect(cancelled.body.data.runs.map(({ state }: any) => state)).toEqual(['Cancelled', 'Cancelled']);
    await operator.post(`/accounts/${from}/credits`, { amount: '50.00', reason: 'test' });
    await clock.advance(10 * MINUTE);
    await eventually(async () => {
      const rows = await database.query(`select from work where payload ->> 'partnerUid' = $1`, [partner.uid]);
      return rows.length === 0;
    });
    expect(await available(api, from)).toBe('50.00');
  }, 30_000);

  it('of payouts ends a run whose order is used already, and goes on with the next one', async () => {
    const partner = await operator.partner(['100.00']);
    await operator.patch(`/partners/${partner.uid}/settings`, { uniqueOrderIds: true });
    let api = await login(partner);
    const transaction = (orderId: string) => ({ orderId, scheduledFor: undefined });
    const first = (await payout(api, transaction('rent-2'))).body.data.transaction.id;
    await inState(api, first, 'Completed');
    const rents = (orderId: string) => ({
      cashOut: {
        payment: { value: '5.00', key: { type: 'EMAIL', value: 'ana@example.com' }, recipient: { cpf: '52998224725' } },
        transaction: { orderId },
        webhook: { url: receiver.url('/rents') },
      },
    });
    const { status, body } = await repeat(api, rents('rent'));
    expect(status).toBe(201);
    expect((await repeat(api, rents('rent '))).status).toBe(409);
    const { id, runs } = body.data;
    await clock.setTo(new Date(Date.parse(runs[0].scheduledFor) + MINUTE));
    api = await login(partner);
    const second = await made(api, id, ['Completed', 'Error']);
    expect(second).toMatchObject({
      state: 'Active',
      runs: [{ errorReason: null }, { errorReason: 'OrderIdAlreadyUsed' }],
    });
    expect(await waiting(api)).toEqual([]);
    expect((await payout(api, transaction('rent-3'), {})).status).toBe(201);
    await clock.setTo(new Date(Date.parse(second.nextRun) + MINUTE));
    api = await login(partner);
    const third = await made(api, id, ['Completed', 'Error', 'Error']);
    expect(third).toMatchObject({ state: 'Ended', nextRun: null });
    const told = (await receiver.arrived('/rents', 4)).map(({ body: text }) => JSON.parse(text));
    expect(told.map((one) => `${one.transactionOrderId} ${one.transactionState}`).sort()).toEqual([
      'rent-1 Completed',
      'rent-1 Registered',
      'rent-2 Error',
      'rent-3 Error',
    ]);
    // rent-2 and rent-3 by themselves, and rent-1: no order was paid twice.
    expect(await available(api, partner.accounts[0]!)).toBe('81.00');
  }, 30_000);

  it.each([
    ['was paid', 3, ['Completed', 'Scheduled']],
    ['was the only one', 1, ['Completed']],
  ])('is told as it was made when it is asked for again after its run %s', async (_name, count, ends) => {
    const partner = await operator.partner(['100.00', '0.00']);
    let api = await login(partner);
    const transfer = { refAccountCredit: partner.accounts[1]!, transferAmount: '10.00' };
    const body = { transfer, count, startsOn: inMs(DAY) };
    const first = await repeat(api, body, 'again');
    const { id, runs } = first.body.data;
    // The answer is what a read says then.
    expect([first.status, first.body.data]).toEqual([201, await schedule(api, id)]);
    await clock.setTo(new Date(Date.parse(runs[0].scheduledFor) + MINUTE));
    api = await login(partner);
    await made(api, id, ends);
    const again = await repeat(api, body, 'again');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
  });

  it('is told as it was made when it is asked for again after it was cancelled', async () => {
    const api = await login(await operator.partner(['100.00']));
    const cashOut = {
      payment: { value: '7.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: 'wage' },
      webhook: { url: 'https://partner.example/hook' },
    };
    const body = { cashOut, startsOn: inMs(DAY) };
    const first = await repeat(api, body, 'again');
    const { id } = first.body.data;
    expect([first.status, first.body.data]).toEqual([201, await schedule(api, id)]);
    expect((await call(service.url, 'DELETE', `/partners-int/accounts/schedules/${id}`, api)).status).toBe(200);
    const again = await repeat(api, body, 'again');
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
  });

  it('of transfers of a Legacy account, refused or not, is announced to end', async () => {
    const partner = await operator.partner(['0.00', '0.00'], { class: 'Legacy' });
    const sunsetDate = inMs(30 * DAY);
    await operator.patch(`/partners/${partner.uid}/settings`, { sunsetDate });
    const api = await login(partner);
    const transfer = { refAccountCredit: partner.accounts[1]!, transferAmount: '1.00' };
    const cashOut = {
      payment: { value: '7.00', key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: 'wage' },
      webhook: { url: 'https://partner.example/hook' },
    };
    const announced = async (changes: object) => {
      const { status, headers } = await repeat(api, changes);
      return [status, headers.get('deprecation'), headers.get('sunset')];
    };
    const told = [expect.stringMatching(/^@\d+$/), new Date(sunsetDate).toUTCString()];
    expect(await announced({ transfer })).toEqual([201, ...told]);
    expect(await announced({ transfer, startsOn: '2020-01-01' })).toEqual([400, ...told]);
    expect(await announced({ cashOut })).toEqual([201, null, null]);
  });

  it('says all that is wrong with it at once', async () => {
    const api = await login(await operator.partner(['0.00', '0.00']));
    const faults = ({ body }: any) => body.error.details.map(({ path, code }: any) => `${path} ${code}`).sort();
    expect(faults(await repeat(api, { every: 'day', until: '2027-01-01', startsOn: 'soon' }))).toEqual([
      'every NotAllowed',
      'startsOn InvalidFormat',
      'transfer Required',
      'until MutuallyExclusive',
    ]);
    const transfer = { refAccountCredit: 'x', transferAmount: '1.00', scheduledFor: inMs(DAY) };
    expect(faults(await repeat(api, { transfer, cashOut: {} }))).toEqual(
      expect.arrayContaining(['cashOut MutuallyExclusive', 'transfer.scheduledFor NotAllowed']),
    );
    const long = await repeat(api, {
      count: undefined,
      until: inMs(1_000 * DAY),
      every: 'week',
      transfer: { refAccountCredit: 'x', transferAmount: '1.00' },
    });
    expect(long.body.error.details.reason).toBe('ScheduleRunsNotAllowed');
  });
});

describe('the history of all that', () => {
  it('is sound', async () => {
    await assertLedgerSound(database);
    const { status, stdout } = spawnSync(process.execPath, ['dist/cli.js', 'verify'], {
      env: { ...process.env, ...SETTINGS, DATABASE_URL: database.url, DATA_DIR: dataDir, NODE_OPTIONS: '' },
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('OK: nothing diverges')]);
  });
});
