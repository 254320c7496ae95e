import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

const JUDICIAL = { cause: 'Judicial', reference: '0001234-56.2026.8.26.0100' };
const LATER = '2100-01-01T00:00:00.000Z';
const webhook = { url: 'http://127.0.0.1:65535/hook' };

let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let partner: TestPartner;
let session: PartnerApi;
let uid: string;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
  operator = new OperatorApi(service.url);
}, 60_000);

afterAll(async () => {
  if (database) await assertLedgerSound(database);
  await service?.stop();
  await database?.drop();
});

/** A partner with 100.00 on its first account and nothing on its second. */
async function newPartner(): Promise<void> {
  partner = await operator.partner(['100.00', '0.00']);
  session = await PartnerApi.login(service.url, partner.credentials);
  uid = partner.accounts[0]!;
}

const admin = (path: string, body: unknown, headers?: Record<string, string>) =>
  call(service.url, 'POST', `/admin/accounts/${uid}/holds${path}`, { token: ADMIN_TOKEN, body, headers });
const place = async (amount: string, more: object = {}) =>
  (await admin('', { amount, ...JUDICIAL, ...more })).body.data;
const refusal = ({ status, body }: { status: number; body: any }) => [status, body.error.details.reason];
const destination = { kind: 'JudicialTransfer', reference: 'ID 072026000012345678' };
const seen = async () => (await session.get(`/accounts/${uid}/holds`)).body.data.items;

describe('a hold', () => {
  beforeAll(newPartner);

  it('takes what is available, up to its amount, and the partner sees it with its cause', async () => {
    const hold = await place('30.00', { note: 'A note for the history' });
    expect(hold).toEqual({
      id: expect.any(String),
      ...JUDICIAL,
      amount: '30.00',
      blocked: '30.00',
      released: '0.00',
      executed: '0.00',
      returned: '0.00',
      retryUntil: null,
      status: 'Open',
      placedAt: expect.any(String),
      expiresAt: null,
      depositId: null,
    });
    expect(await session.balance(uid)).toEqual({ available: '70.00', held: '0.00', blocked: '30.00' });
    expect(await seen()).toEqual([hold]);
    const { status, body } = await session.transfer(partner.accounts[1]!, '70.01');
    expect([status, body.error.details.reason]).toEqual([422, 'CustomerAccountInsufficientFunds']);
  });

  it('is released in parts and executed in parts, up to what it blocks, until it has ended', async () => {
    const [{ id }] = await seen();
    expect(refusal(await admin(`/${id}/release`, { amount: '30.01' }))).toEqual([422, 'HoldExceeded']);
    expect(refusal(await admin(`/${id}/execute`, { amount: '30.01', destination }))).toEqual([422, 'HoldExceeded']);
    const released = await admin(`/${id}/release`, { amount: '10.00' });
    expect(released.body.data).toEqual({ id, amount: '10.00', status: 'Open', date: expect.any(String) });
    const executed = await admin(`/${id}/execute`, { amount: '20.00', destination });
    expect(executed.body.data).toMatchObject({ id, amount: '20.00', status: 'Closed' });
    expect(await session.balance(uid)).toEqual({ available: '80.00', held: '0.00', blocked: '0.00' });
    expect(await seen()).toMatchObject([{ blocked: '0.00', released: '10.00', executed: '20.00', status: 'Closed' }]);
    expect(refusal(await admin(`/${id}/release`, {}))).toEqual([422, 'HoldIsClosed']);
    const [system] = await database.query(
      `select available from account where system = 'executed-holds' and partner_uid = $1`,
      [partner.uid],
    );
    expect(system).toEqual({ available: '2000' });
  });

  it('shows in the statement where it takes from what is available and gives back', async () => {
    const lines = await eventually(async () => {
      const { items } = (await session.get(`/accounts/${uid}/statement`)).body.data;
      return items.length === 3 && items;
    });
    const [{ id }] = await seen();
    expect(lines).toMatchObject([
      { kind: 'HoldReleased', transactionId: id, amount: '10.00', balanceAfter: '80.00' },
      { kind: 'HoldPlaced', transactionId: id, amount: '-30.00', balanceAfter: '70.00' },
      { kind: 'Credit', amount: '100.00' },
    ]);
  });

  it('that finds nothing, and does not wait, is closed with its answer', async () => {
    const empty = await call(service.url, 'POST', `/admin/accounts/${partner.accounts[1]}/holds`, {
      token: ADMIN_TOKEN,
      body: { amount: '5.00', ...JUDICIAL },
    });
    expect(empty).toMatchObject({ status: 201, body: { data: { blocked: '0.00', status: 'Closed' } } });
  });

  it('is placed once under one key, and so is what leaves it', async () => {
    const once = (path: string, body: object, key: string) => admin(path, body, { 'idempotency-key': key });
    const order = { amount: '8.00', ...JUDICIAL };
    const [first, second] = [await once('', order, 'order'), await once('', order, 'order')];
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await once('', { ...order, amount: '9.00' }, 'order')).status).toBe(409);
    const { id } = first.body.data;
    for (const key of ['part', 'part']) await once(`/${id}/execute`, { amount: '3.00', destination }, key);
    for (const key of ['rest', 'rest']) expect((await once(`/${id}/release`, {}, key)).status).toBe(200);
    expect((await seen())[0]).toMatchObject({ id, executed: '3.00', released: '5.00', status: 'Closed' });
  });

  it('of another account, or of nobody, is not found', async () => {
    const { id } = await place('1.00');
    const others = partner.accounts[1]!;
    for (const path of [
      `${others}/holds/${id}`,
      `${uid}/holds/${others}`,
      `${uid}/holds/nothing`,
      `${id}/holds/${id}`,
    ]) {
      const answer = await call(service.url, 'POST', `/admin/accounts/${path}/release`, {
        token: ADMIN_TOKEN,
        body: {},
      });
      expect([path, answer.status]).toEqual([path, 404]);
    }
    const stranger = await operator.partner(['1.00']);
    expect((await session.get(`/accounts/${stranger.accounts[0]}/holds`)).status).toBe(404);
  });

  it('is refused without an amount above zero, a cause, a reference, or with a time that is over', async () => {
    const zero = await admin('', { ...JUDICIAL, amount: '0.00' });
    expect(refusal(zero)).toEqual([400, 'AmountMustBeGreaterThanZero']);
    const over = await admin('', { ...JUDICIAL, amount: '1.00', retryUntil: '2020-01-01' });
    expect(refusal(over)).toEqual([400, 'RetryTimeNotInFuture']);
    const { status, body } = await admin('', { amount: '1.00', cause: 'Whim' });
    expect([status, body.error.details.map(({ path }: any) => path).sort()]).toEqual([400, ['cause', 'reference']]);
    const nowhere = await admin(`/${uid}/execute`, { amount: '1.00' });
    expect(nowhere).toMatchObject({ status: 400, body: { error: { details: [{ path: 'destination' }] } } });
  });

  it('is placed on an inactive account too', async () => {
    await operator.post(`/accounts/${uid}/deactivate`, { reason: 'Teste' });
    expect(await place('2.00', { cause: 'Cautionary' })).toMatchObject({ blocked: '2.00', status: 'Open' });
  });
});

describe('a hold that waits', () => {
  beforeAll(newPartner);

  it('is filled by what comes in, before it can be spent, older holds first', async () => {
    const first = await place('120.00', { retryUntil: LATER });
    const second = await place('15.00', { retryUntil: LATER, cause: 'Guarantee' });
    expect([first, second]).toMatchObject([
      { blocked: '100.00', retryUntil: LATER },
      { blocked: '0.00', status: 'Open' },
    ]);
    await operator.post(`/accounts/${uid}/credits`, { amount: '25.00', reason: 'Teste' });
    expect(await seen()).toMatchObject([{ blocked: '5.00' }, { blocked: '120.00' }]);
    expect(await session.balance(uid)).toEqual({ available: '0.00', held: '0.00', blocked: '125.00' });
    await operator.post(`/accounts/${uid}/credits`, { amount: '25.00', reason: 'Teste' });
    expect(await session.balance(uid)).toEqual({ available: '15.00', held: '0.00', blocked: '135.00' });
  });

  it('is filled by a deposit, a transfer, and a payout that comes back', async () => {
    await newPartner();
    const payment = { value: '40.97', recipient: { name: 'Ana', cpf: '52998224725' } };
    const key = { type: 'EMAIL', value: 'ana@example.com' };
    const transaction = { orderId: 'o' };
    const out = await session.post('/accounts/pix/cashout', { payment: { ...payment, key }, transaction, webhook });
    const { id } = await place('1000.00', { retryUntil: LATER });
    const blocked = (amount: string) =>
      eventually(async () => (await session.balance(uid)).blocked === amount && (await session.balance(uid)));
    // That amount is refused by the sandbox: it comes back, and is blocked.
    expect(out.status).toBe(201);
    expect(await blocked('100.00')).toEqual({ available: '0.00', held: '0.00', blocked: '100.00' });
    const deposit = await session.post('/accounts/pix/cashin', {
      payment: { value: { original: '20.00' } },
      transaction: { orderId: 'd' },
      webhook,
    });
    await call(service.url, 'POST', '/sandbox/pix/payments', {
      body: {
        qrCode: deposit.body.data.payment.qrCode,
        payer: { name: 'Ana', taxNumber: '52998224725', ispb: '99999008', branch: '0001', number: '1', digit: '8' },
      },
    });
    expect(await blocked('120.00')).toEqual({ available: '0.00', held: '0.00', blocked: '120.00' });
    const [, other] = partner.accounts as [string, string];
    await operator.post(`/accounts/${other}/credits`, { amount: '5.00', reason: 'Teste' });
    const { secret, accessKey } = await operator.post(`/accounts/${other}/access-keys`, {});
    const sender = await PartnerApi.login(service.url, { accessKey, secret });
    expect((await sender.transfer(uid, '5.00')).status).toBe(201);
    expect(await session.balance(uid)).toEqual({ available: '0.00', held: '0.00', blocked: '125.00' });
    expect((await seen()).map((hold: any) => [hold.id, hold.blocked])).toEqual([[id, '125.00']]);
  });

  it('takes nothing of what was released from it, and nothing more once it has ended', async () => {
    const [{ id }] = await seen();
    await admin(`/${id}/release`, { amount: '25.00' });
    await operator.post(`/accounts/${uid}/credits`, { amount: '1.00', reason: 'Teste' });
    expect(await session.balance(uid)).toEqual({ available: '25.00', held: '0.00', blocked: '101.00' });
    const ended = await admin(`/${id}/release`, undefined);
    expect(ended.body.data).toMatchObject({ amount: '101.00', status: 'Closed' });
    await operator.post(`/accounts/${uid}/credits`, { amount: '1.00', reason: 'Teste' });
    expect(await session.balance(uid)).toEqual({ available: '127.00', held: '0.00', blocked: '0.00' });
  });

  it('gives what it releases to the next one that waits', async () => {
    const first = await place('127.00');
    await place('50.00', { retryUntil: LATER });
    await admin(`/${first.id}/release`, {});
    expect(await seen()).toMatchObject([{ blocked: '50.00' }, { blocked: '0.00', status: 'Closed' }, {}]);
    expect(await session.balance(uid)).toEqual({ available: '77.00', held: '0.00', blocked: '50.00' });
  });

  it('waits to the end of a date, in São Paulo', async () => {
    expect(await place('1.00', { retryUntil: '2099-12-31' })).toMatchObject({ retryUntil: '2100-01-01T03:00:00.000Z' });
    expect(await place('1.00', { retryUntil: '2099-12-31T10:00' })).toMatchObject({
      retryUntil: '2099-12-31T13:00:00.000Z',
    });
  });

  it('waits for ever until the last day there is', async () => {
    await newPartner();
    const last = '9999-12-31T23:59:59.999Z';
    expect(await place('150.00', { retryUntil: '9999-12-31' })).toMatchObject({ retryUntil: last });
    expect(await place('1.00', { retryUntil: '9999-12-31T23:00' })).toMatchObject({ retryUntil: last });
    const { blocked } = await session.balance(uid);
    await operator.post(`/accounts/${uid}/credits`, { amount: '9.00', reason: 'Teste' });
    const after = await session.balance(uid);
    expect(Number(after.blocked) - Number(blocked)).toBeCloseTo(9);
  });

  it('waits no longer than it says', async () => {
    await newPartner();
    const until = new Date(Date.now() + 1_000);
    await place('150.00', { retryUntil: until.toISOString() });
    await eventually(async () => Date.now() > until.getTime() + 100);
    await operator.post(`/accounts/${uid}/credits`, { amount: '9.00', reason: 'Teste' });
    expect(await session.balance(uid)).toEqual({ available: '9.00', held: '0.00', blocked: '100.00' });
  });
});
