import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, OperatorApi, PartnerApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { cashInBody, cashOutBody, withMember } from '../support/pix-bodies.js';
import { PixEdge } from '../support/pix-edge.js';

let edge: PixEdge;
let operator: OperatorApi;
beforeAll(async () => {
  edge = await PixEdge.start();
  operator = new OperatorApi(edge.service.url);
}, 60_000);
afterAll(() => edge.stop());

const cashOut = (body: object, key?: string) =>
  edge.api.post('/accounts/pix/cashout', body, key === undefined ? undefined : { 'idempotency-key': key });
const cashIn = (body: object, key?: string) =>
  edge.api.post('/accounts/pix/cashin', body, key === undefined ? undefined : { 'idempotency-key': key });
const faultsOf = ({ status, body }: Answer) => ({
  status,
  name: body.error?.name,
  faults: ((body.error?.details ?? []) as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`),
});
const malformed = (...faults: string[]) => ({ status: 400, name: 'InvalidInputError', faults });
const domain = (status: number, name: string, reason: string) => ({
  status,
  body: { statusCode: 'Error', error: { name, code: name, details: expect.objectContaining({ reason }) } },
});
const settings = (changes: object) => operator.patch(`/partners/${edge.partner.uid}/settings`, changes);

describe('the rules of contract 7.3', () => {
  it('a cash-in has at most three validation accounts', async () => {
    const body = cashInBody.validationAccounts();
    body.payment.payer.validationAccounts.push({ ispb: '33333333', branch: '0003', number: '333333' });
    expect(faultsOf(await cashIn(body))).toEqual(malformed('payment.payer.validationAccounts TooMany'));
  });

  it('a cash-in has an account or validation accounts, not both', async () => {
    const accounts = cashInBody.validationAccounts().payment.payer.validationAccounts;
    const body = withMember(cashInBody.account(), 'payment.payer.validationAccounts', accounts);
    const answer = await cashIn(body);
    expect(faultsOf(answer)).toEqual(malformed('payment.payer MutuallyExclusive'));
    expect(answer.body.error.details[0]).toEqual({
      path: 'payment.payer',
      code: 'MutuallyExclusive',
      message: expect.any(String),
      info: { properties: ['payment.payer.account', 'payment.payer.validationAccounts'] },
    });
    expect((await cashIn(withMember(cashInBody.account(), 'payment.payer.validationAccounts', []))).status).toBe(201);
  });

  it('a cash-out by account alone needs its digit', async () => {
    const body = withMember(cashOutBody.account(), 'payment.recipient.account', {
      ispb: '60701190',
      branch: '0001',
      number: '1',
    });
    expect(await cashOut(body)).toMatchObject(domain(400, 'InvalidInputError', 'AccountDigitIsRequired'));
    const two = withMember(withMember(body, 'payment.recipient.account.branch', '1'), 'transaction.orderId', '');
    expect(faultsOf(await cashOut(two))).toEqual(
      malformed(
        'payment.recipient.account.branch InvalidFormat',
        'transaction.orderId Required',
        'payment.recipient.account.digit AccountDigitIsRequired',
      ),
    );
    const keyed = withMember(body, 'payment.key', { type: 'CPF', value: '52998224725' });
    expect((await cashOut(keyed)).status).toBe(201);
  });

  it.each(['1234567', '123456-7'])('takes the digit from the end of %s', async (number) => {
    const body = withMember(cashOutBody.account(), 'payment.recipient.account', {
      ispb: '60701190',
      branch: '0001',
      number,
    });
    const { id } = (await cashOut(body)).body.data.transaction;
    const { payment } = (await edge.api.get(`/accounts/transactions/${id}`)).body.data;
    expect(payment.recipient.account).toMatchObject({ number: '123456', digit: '7', type: 'CheckingsAccount' });
  });
});

describe('a malformed cash-out', () => {
  it('is told every fault at once, with paths', async () => {
    const answer = await cashOut({
      payment: {
        value: 10,
        key: { type: 'IBAN' },
        recipient: {
          cpf: '11111111111',
          account: { ispb: '123', branch: 1, number: 'abc', digit: '77', type: 'Gold' },
        },
      },
      transaction: { orderDescription: 'x'.repeat(141) },
      webhook: { url: 'ftp://partner.example', customHeaderName: 'X-Only-A-Name' },
    });
    expect(answer.status).toBe(400);
    expect(faultsOf(answer).faults.sort()).toEqual(
      [
        'payment.value InvalidFormat',
        'payment.key.value Required',
        'payment.key.type NotAllowed',
        'payment.recipient.cpf InvalidFormat',
        'payment.recipient.account.ispb InvalidFormat',
        'payment.recipient.account.branch InvalidType',
        'payment.recipient.account.number InvalidFormat',
        'payment.recipient.account.digit InvalidFormat',
        'payment.recipient.account.type NotAllowed',
        'transaction.orderId Required',
        'transaction.orderDescription TooLong',
        'webhook.url NotAllowed',
        'webhook.customHeaderValue Required',
      ].sort(),
    );
  });

  it.each([
    ['payment', undefined, 'payment Required'],
    ['payment.value', undefined, 'payment.value Required'],
    ['payment.value', '10,50', 'payment.value InvalidFormat'],
    ['payment.value', '1e3', 'payment.value InvalidFormat'],
    ['payment.value', '10.505', 'payment.value InvalidFormat'],
    ['payment.recipient', undefined, 'payment.recipient Required'],
    ['payment.recipient', [], 'payment.recipient InvalidType'],
    ['payment.recipient.cpf', undefined, 'payment.recipient.cpf Required'],
    ['payment.key', undefined, 'payment.key Required'],
    ['payment.key.value', 'not an e-mail', 'payment.key.value InvalidFormat'],
    ['payment.key.type', 'PHONE', 'payment.key.value InvalidFormat'],
    ['transaction', undefined, 'transaction Required'],
    ['transaction.orderId', 'x'.repeat(65), 'transaction.orderId TooLong'],
    ['webhook', undefined, 'webhook Required'],
    ['webhook.url', undefined, 'webhook.url Required'],
    ['webhook.url', 'http://partner.example/hook', 'webhook.url NotAllowed'],
    ['webhook.url', 'https://10.0.0.1/hook', 'webhook.url NotAllowed'],
    ['webhook.customHeaderName', 'Host', 'webhook.customHeaderName NotAllowed'],
    ['webhook.customHeaderName', undefined, 'webhook.customHeaderName Required'],
    ['webhook.customHeaderValue', 'a\u0007b', 'webhook.customHeaderValue InvalidFormat'],
  ])('%s = %p: %s', async (path, value, fault) => {
    expect(faultsOf(await cashOut(withMember(cashOutBody.key(), path, value)))).toEqual(malformed(fault));
  });

  it.each(['0', '0.00', '-5.00'])('with an amount of %s is told the named reason', async (value) => {
    const expected = domain(400, 'InvalidInputError', 'PaymentValueMustBeGreaterThanZero');
    expect(await cashOut(cashOutBody.key(value))).toMatchObject(expected);
    expect(await cashIn(cashInBody.account(value))).toMatchObject(expected);
  });
});

describe('a malformed cash-in', () => {
  it.each([
    ['payment.value', undefined, 'payment.value Required'],
    ['payment.value', '10.50', 'payment.value InvalidType'],
    ['payment.value.original', undefined, 'payment.value.original Required'],
    ['payment.payer.cpf', '52998224724', 'payment.payer.cpf InvalidFormat'],
    ['payment.payer.account.ispb', undefined, 'payment.payer.account.ispb Required'],
    ['payment.payer.account.digit', '88', 'payment.payer.account.digit InvalidFormat'],
    ['payment.payer.account.number', '1'.repeat(21), 'payment.payer.account.number TooLong'],
    ['transaction.expiresIn', 0, 'transaction.expiresIn InvalidFormat'],
    ['transaction.expiresIn', 1.5, 'transaction.expiresIn InvalidFormat'],
    ['transaction.expiresIn', 86_401, 'transaction.expiresIn InvalidFormat'],
    ['transaction.expiresIn', '60', 'transaction.expiresIn InvalidFormat'],
  ])('%s = %p: %s', async (path, value, fault) => {
    expect(faultsOf(await cashIn(withMember(cashInBody.account(), path, value)))).toEqual(malformed(fault));
  });

  it('may have members that are not ours: the account of a payer has no type', async () => {
    expect((await cashIn(withMember(cashInBody.account(), 'payment.payer.account.type', 'Gold'))).status).toBe(201);
  });

  it('names the faulty validation account', async () => {
    const body = cashInBody.validationAccounts();
    body.payment.payer.validationAccounts[1]!.branch = '12345';
    expect(faultsOf(await cashIn(body))).toEqual(malformed('payment.payer.validationAccounts.1.branch InvalidFormat'));
  });

  it('may say nothing at all of the payer', async () => {
    expect((await cashIn(withMember(cashInBody.account(), 'payment.payer', undefined))).status).toBe(201);
    expect((await cashIn(withMember(cashInBody.account(), 'payment.payer', null))).status).toBe(201);
  });
});

describe('limits and conditions', () => {
  it('bound the amounts', async () => {
    await settings({ cashOutMinimum: '5.00', cashOutMaximum: '50.00', cashInMinimum: '6.00', cashInMaximum: '60.00' });
    const below = domain(400, 'InvalidInputError', 'AmountBelowMinimum');
    const above = domain(400, 'InvalidInputError', 'AmountAboveMaximum');
    expect(await cashOut(cashOutBody.key('4.99'))).toMatchObject(below);
    expect(await cashOut(cashOutBody.key('50.01'))).toMatchObject(above);
    expect(await cashIn(cashInBody.account('5.99'))).toMatchObject(below);
    expect(await cashIn(cashInBody.account('60.01'))).toMatchObject(above);
    expect((await cashOut(cashOutBody.key('5.00'))).status).toBe(201);
    expect((await cashIn(cashInBody.account('60.00'))).status).toBe(201);
    await settings({ cashOutMinimum: null, cashOutMaximum: null, cashInMinimum: null, cashInMaximum: null });
  });

  it('bound a deposit by what a code can carry', async () => {
    const above = domain(400, 'InvalidInputError', 'AmountAboveMaximum');
    expect(await cashIn(cashInBody.account('10000000000.00'))).toMatchObject(above);
    expect((await cashIn(cashInBody.account('9999999999.99'))).status).toBe(201);
  });

  it('refuse a deposit of which the charge would leave nothing', async () => {
    await settings({ cashInCharge: '2.00' });
    const refusal = domain(400, 'InvalidInputError', 'PaymentValueNotAboveCharge');
    expect(await cashIn(cashInBody.account('2.00'))).toMatchObject(refusal);
    expect((await cashIn(cashInBody.account('2.01'))).status).toBe(201);
    await settings({ cashInCharge: null });
  });

  it('refuse a payout larger than available, though smaller than available and held together', async () => {
    const other = await operator.partner(['100.00']);
    const api = await loginOf(other.credentials);
    const first = await api.post('/accounts/pix/cashout', cashOutBody.key('60.98'));
    expect(first.status).toBe(201);
    expect(await api.balance(other.accounts[0]!)).toEqual({ available: '39.02', held: '60.98', blocked: '0.00' });
    expect(await api.post('/accounts/pix/cashout', cashOutBody.key('39.03'))).toMatchObject(
      domain(422, 'OperationError', 'CustomerAccountInsufficientFunds'),
    );
    expect((await api.post('/accounts/pix/cashout', cashOutBody.key('39.02'))).status).toBe(201);
  });

  it('refuse an order twice where orders must be unique, even two at once, and not where they need not be', async () => {
    const other = await operator.partner(['100.00']);
    const api = await loginOf(other.credentials);
    const order = (id: string) => withMember(cashOutBody.key('1.00'), 'transaction.orderId', id);
    const deposit = (id: string) => withMember(cashInBody.account('1.00'), 'transaction.orderId', id);
    expect((await api.post('/accounts/pix/cashout', order('a'))).status).toBe(201);
    expect((await api.post('/accounts/pix/cashin', deposit('a'))).status).toBe(201);
    await operator.patch(`/partners/${other.uid}/settings`, { uniqueOrderIds: true });
    const taken = domain(409, 'ConflictError', 'OrderIdAlreadyUsed');
    expect(await api.post('/accounts/pix/cashout', order('a'))).toMatchObject(taken);
    expect(await api.post('/accounts/pix/cashin', deposit('a'))).toMatchObject(taken);
    const both = await Promise.all([
      api.post('/accounts/pix/cashin', deposit('b')),
      api.post('/accounts/pix/cashout', order('b')),
      api.post('/accounts/pix/cashin', deposit('b')),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  });

  it('take an order that a person cannot tell from another for the same: NFC and trimmed, older rows too', async () => {
    const other = await operator.partner(['100.00']);
    const api = await loginOf(other.credentials);
    const order = (id: string) => withMember(cashOutBody.key('1.00'), 'transaction.orderId', id);
    const status = async (id: string) => (await api.post('/accounts/pix/cashout', order(id))).status;
    const unique = (on: boolean) => operator.patch(`/partners/${other.uid}/settings`, { uniqueOrderIds: on });
    // As they stood in the table before they were compared so.
    const old = ['caf\u00e9', ' pa\u0303o ', '\u00a0\u3000x\ufeff', 'plain', '  '];
    for (const id of old) expect(await status(id)).toBe(201);
    await unique(true);
    for (const id of ['cafe\u0301', 'p\u00e3o', 'x', ' plain', '\u2003', ...old])
      expect({ id, status: await status(id) }).toEqual({ id, status: 409 });
    for (const id of ['cafe', 'pao', 'X', 'pla in'])
      expect({ id, status: await status(id) }).toEqual({ id, status: 201 });
    // One at a time and two at once, whatever the first was written like.
    for (const [one, same] of [
      ['\u212bngstr\u00f6m', 'A\u030angstro\u0308m'],
      ['y', 'y '],
    ] as const) {
      const both = await Promise.all([status(one), status(same)]);
      expect(both.sort()).toEqual([201, 409]);
    }
    // Whoever is refused finds what has the order, in whichever form he asks for it.
    const found = async (id: string, more = '') =>
      (await api.get(`/accounts/transactions?orderId=${encodeURIComponent(id)}${more}`)).body.data.items.map(
        ({ transaction }: any) => transaction.orderId,
      );
    for (const id of [' pa\u0303o ', 'p\u00e3o', 'pa\u0303o']) expect(await found(id)).toEqual([' pa\u0303o ']);
    expect(await found('cafe\u0301')).toEqual(['caf\u00e9']);
    expect(await found(' plain\u2003')).toEqual(['plain']);
    expect(await found('pao')).toEqual(['pao']);
    expect(await found('p\u00e3o', '&type=CashIn')).toEqual([]);
    expect(await found('p\u00e3o', '&endToEndId=E12345678202611291127001xc0o4NJQ')).toEqual([]);
    await unique(false);
    expect(await status('plain ')).toBe(201);
    expect(await found('plain')).toEqual(['plain']);
    await unique(true);
    expect(await found('plain')).toEqual(['plain ', 'plain']);
    expect(await found('plain', '&limit=1')).toEqual(['plain ']);
  });

  it('let an inactive account neither send nor ask for deposits', async () => {
    const other = await operator.partner(['100.00']);
    const api = await loginOf(other.credentials);
    await operator.post(`/accounts/${other.accounts[0]}/deactivate`, { reason: 'Teste' });
    const refusal = { status: 403, body: { error: { details: { reason: 'CustomerAccountIsNotActive' } } } };
    expect(await api.post('/accounts/pix/cashout', cashOutBody.key())).toMatchObject(refusal);
    expect(await api.post('/accounts/pix/cashin', cashInBody.account())).toMatchObject(refusal);
  });

  it('ask for the permission of the route', async () => {
    const credentials = await operator.post(`/accounts/${edge.partner.accounts[0]}/access-keys`, {
      permissions: ['accounts:read', 'pix:cashin'],
    });
    const api = await loginOf(credentials);
    expect(await api.post('/accounts/pix/cashout', cashOutBody.key())).toMatchObject({
      status: 403,
      body: { message: 'Forbidden' },
    });
    expect((await api.post('/accounts/pix/cashin', cashInBody.account())).status).toBe(201);
  });
});

describe('an idempotency key', () => {
  it('gives the first answer again, and pays and holds once', async () => {
    const before = await edge.api.balance(edge.partner.accounts[0]!);
    const answers = await Promise.all(Array.from({ length: 8 }, () => cashOut(cashOutBody.key('1.98'), 'once')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(7);
    const after = await edge.api.balance(edge.partner.accounts[0]!);
    expect(Number(before.available) - Number(after.available)).toBeCloseTo(1.98, 2);
    expect(await cashOut(cashOutBody.key('1.97'), 'once')).toMatchObject(
      domain(409, 'ConflictError', 'IdempotencyKeyReuse'),
    );
    await edge.force(answers[0]!.body.data.transaction.id, 'complete');
    expect((await cashOut(cashOutBody.key('1.98'), 'once')).body).toEqual(answers[0]!.body);
  });

  it('gives the code of the first deposit again', async () => {
    const first = await cashIn(cashInBody.account('3.00'), 'deposit-once');
    const again = await cashIn(cashInBody.account('3.00'), 'deposit-once');
    expect(again.body).toEqual(first.body);
    await edge.pay(first.body.data.payment.qrCode);
    await eventually(async () => (await edge.transaction(first.body.data.transaction.id)).state === 'Completed');
    expect((await cashIn(cashInBody.account('3.00'), 'deposit-once')).body).toEqual(first.body);
  });

  it('comes before every rule that depends on state, and makes no charge', async () => {
    const first = await cashIn(cashInBody.account('3.00'), 'deposit-first');
    const charges = () => edge.database.query('select txid from sandbox.charge');
    const before = (await charges()).length;
    expect((await cashIn(cashInBody.account('3.00'), 'deposit-first')).body).toEqual(first.body);
    expect(await cashIn(cashInBody.account('10000000000.00'), 'deposit-first')).toMatchObject(
      domain(409, 'ConflictError', 'IdempotencyKeyReuse'),
    );
    expect(await charges()).toHaveLength(before);
  });
});

async function loginOf(credentials: { accessKey: string; secret: string }) {
  return PartnerApi.login(edge.service.url, credentials);
}
