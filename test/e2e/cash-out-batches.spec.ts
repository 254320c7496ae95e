import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

const BATCH = '/accounts/pix/cashouts/batch';
const webhook = { url: 'http://127.0.0.1:65535/hook', customHeaderName: 'X-Key', customHeaderValue: 'secret' };

let database: TestDatabase;
let service: Service;
let other: Service;
let operator: OperatorApi;
let partner: TestPartner;
let api: PartnerApi;

beforeAll(async () => {
  database = await createDatabase();
  [service, other] = [await startService(database.url), await startService(database.url)];
  operator = new OperatorApi(service.url);
}, 60_000);

beforeEach(async () => {
  partner = await operator.partner(['1000.00']);
  api = await PartnerApi.login(service.url, partner.credentials);
});

afterAll(async () => {
  await assertLedgerSound(database);
  await Promise.all([service.stop(), other.stop()]);
  await database.drop();
});

const payout = (value: unknown, orderId = 'o') => ({
  payment: {
    value,
    key: { type: 'EMAIL', value: 'ana@example.com' },
    recipient: { name: 'Ana', cpf: '52998224725' },
  },
  transaction: { orderId },
  webhook,
});
const item = (idempotencyKey: string, value: unknown = '10.98') => ({ idempotencyKey, ...payout(value) });
const send = (items: readonly unknown[], more: object = {}, headers?: Record<string, string>, by = api) =>
  by.post(BATCH, { items, ...more }, headers);
const single = (value: unknown, key?: string) =>
  api.post('/accounts/pix/cashout', payout(value), key === undefined ? undefined : { 'idempotency-key': key });
const held = async () => (await api.balance(partner.accounts[0]!)).held;
const shape = (items: any[]) =>
  items.map(({ status, replayed, error }) => [status, replayed ?? error.details.reason ?? error.details[0].path]);

describe('a batch of payouts', () => {
  it('answers with a result for each item, in their order, as the single route answers', async () => {
    const answer = await send([item('a'), item('b', '5000.98'), item('c', 5), item('d', '0.00')]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      statusCode: 'Done',
      data: {
        items: [
          {
            idempotencyKey: 'a',
            status: 201,
            replayed: false,
            statusCode: 'Incomplete',
            data: { transaction: expect.objectContaining({ state: 'Registered', amount: '10.98', orderId: 'o' }) },
          },
          { idempotencyKey: 'b', status: 422, ...(await single('5000.98')).body },
          { idempotencyKey: 'c', status: 400, ...(await single(5)).body },
          { idempotencyKey: 'd', status: 400, ...(await single('0.00')).body },
        ],
        counts: { done: 1, error: 3 },
      },
    });
    expect(await held()).toBe('10.98');
  });

  it('pays each of them', async () => {
    const { body } = await send(Array.from({ length: 20 }, (_, i) => item(`p-${i}`, '1.00')));
    const [first] = body.data.items;
    expect(body.data.counts).toEqual({ done: 20, error: 0 });
    await eventually(async () => (await held()) === '0.00');
    expect((await api.get(`/accounts/transactions/${first.data.transaction.id}`)).body.data.transaction).toMatchObject({
      state: 'Completed',
      endToEndId: expect.stringMatching(/^E/),
    });
    expect((await api.balance(partner.accounts[0]!)).available).toBe('980.00');
  });

  it('looks at funds and limits item by item, in order', async () => {
    await operator.patch(`/accounts/${partner.accounts[0]}/limits`, { day: '100.00', night: '100.00' });
    const { body } = await send([item('a', '60.98'), item('b', '60.98'), item('c', '30.98'), item('d', '30.98')]);
    const reason = expect.stringMatching(/^(Day|Night)LimitExceeded$/);
    expect(shape(body.data.items)).toEqual([
      [201, false],
      [422, reason],
      [201, false],
      [422, reason],
    ]);
    expect(body.data.items[3].error.details.left).toBe('8.04');
  });

  it('knows unique orders of the items before', async () => {
    await operator.patch(`/partners/${partner.uid}/settings`, { uniqueOrderIds: true });
    const { body } = await send([item('a'), item('b')]);
    expect(shape(body.data.items)).toEqual([
      [201, false],
      [409, 'OrderIdAlreadyUsed'],
    ]);
  });

  it('shares keys with the single route, and gives the same results again on another instance', async () => {
    const first = await single('10.98', 'first');
    const items = [item('first'), item('second', '20.98'), item('third', '5000.98')];
    const batch = await send(items, {}, { 'idempotency-key': 'whole' });
    expect(batch.body.data.items[0]).toEqual({ idempotencyKey: 'first', status: 201, replayed: true, ...first.body });
    expect((await single('20.98', 'second')).body.data).toEqual(batch.body.data.items[1].data);
    expect((await single('20.97', 'second')).status).toBe(409);
    const again = await send(items, {}, { 'idempotency-key': 'whole' }, api.on(other.url));
    expect(again.body.data.items.map(({ data, error }: any) => data ?? error)).toEqual(
      batch.body.data.items.map(({ data, error }: any) => data ?? error),
    );
    expect((await send([item('x')], {}, { 'idempotency-key': 'whole' })).status).toBe(409);
    expect(await held()).toBe('31.96');
  });

  it('pays codes beside the rest, and a code that is refused stops nobody', async () => {
    const { body } = await api.post('/accounts/pix/cashin', {
      payment: { value: { original: '5.00' } },
      transaction: { orderId: 'in' },
      webhook,
    });
    const byCode = { ...payout(undefined), payment: { qrCode: body.data.payment.qrCode } };
    const refused = { ...byCode, payment: { ...byCode.payment, value: '6.00' } };
    const items = [{ idempotencyKey: 'code', ...byCode }, { idempotencyKey: 'other', ...refused }, item('key')];
    const answer = await send(items);
    expect(shape(answer.body.data.items)).toEqual([
      [201, false],
      [422, 'QrCodeAmountMismatch'],
      [201, false],
    ]);
    expect(shape((await send(items)).body.data.items).map(([status]) => status)).toEqual([201, 422, 201]);
  });

  it('of codes that were paid is not another request under the key of the whole', async () => {
    const deposit = { payment: { value: { original: '5.00' } }, transaction: { orderId: 'in' }, webhook };
    const codes = await Promise.all(
      ['one', 'two'].map(async (idempotencyKey) => {
        const { body } = await api.post('/accounts/pix/cashin', deposit);
        return { idempotencyKey, ...payout(undefined), payment: { qrCode: body.data.payment.qrCode } };
      }),
    );
    const whole = { 'idempotency-key': 'codes' };
    const first = await send(codes, {}, whole);
    expect(shape(first.body.data.items)).toEqual([
      [201, false],
      [201, false],
    ]);
    const again = await send(codes, {}, whole);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    const fewer = await send(codes.slice(0, 1), {}, whole);
    expect([fewer.status, fewer.body.error.details.reason]).toEqual([409, 'IdempotencyKeyReuse']);
  });

  it.each<[string, object, string, string]>([
    ['atomic', { mode: 'atomic', items: [item('a')] }, 'mode', 'NotAllowed'],
    ['without items', { mode: 'independent' }, 'items', 'Required'],
    ['with a key twice', { items: [item('a'), item('a')] }, 'items.1.idempotencyKey', 'Duplicate'],
  ])('is refused whole: %s', async (_, body, path, code) => {
    const answer = await api.post(BATCH, body);
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path, code }] } } });
    expect(await held()).toBe('0.00');
  });

  it('needs the permission of payouts', async () => {
    const key = await operator.post(`/accounts/${partner.accounts[0]}/access-keys`, {
      permissions: ['transfers:write'],
    });
    expect((await send([item('a')], {}, undefined, await PartnerApi.login(service.url, key))).status).toBe(403);
  });
});
