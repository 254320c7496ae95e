import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseBrCode } from '../../src/pix/domain/values/br-code.js';
import { OperatorApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { cashInBody, cashOutBody } from '../support/pix-bodies.js';
import { PixEdge, PUBLIC_URL } from '../support/pix-edge.js';
import { tellEvents } from '../support/told-events.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let edge: PixEdge;
let held: string;
beforeAll(async () => {
  edge = await PixEdge.start();
  held = edge.partner.accounts[0]!;
}, 60_000);
afterAll(() => edge.stop());

const summary = {
  id: expect.stringMatching(UUID),
  state: 'Registered',
  date: expect.stringMatching(DATE),
  amount: '10.50',
  institution: 'Instituicao Exemplo IP S.A.',
  accountNumber: expect.stringMatching(/^\d{7}$/),
  ispb: '12345678',
};

describe('the three bodies of a cash-out', () => {
  it.each([
    ['account', 'Account', null, { ispb: '60701190', number: '123456', digit: '7', type: 'CheckingsAccount' }],
    ['key', 'Key', { type: 'EMAIL', value: 'maria@example.com' }, null],
    ['keyAndAccount', 'KeyAndAccount', { type: 'CPF', value: '52998224725' }, { branch: '0001' }],
  ] as const)('%s: is accepted, held, paid and read back', async (body, method, key, account) => {
    const before = await edge.api.balance(held);
    const created = await edge.api.post('/accounts/pix/cashout/', cashOutBody[body]());
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      statusCode: 'Incomplete',
      data: { transaction: { ...summary, orderId: 'order-1' } },
    });
    const { id, date } = created.body.data.transaction;
    await edge.reaches(id, 'Completed');
    const read = await edge.api.get(`/accounts/transactions/${id}`);
    expect(read.body).toEqual({
      statusCode: 'Done',
      data: {
        transaction: {
          ...summary,
          id,
          date,
          orderId: 'order-1',
          state: 'Completed',
          type: 'CashOut',
          orderDescription: 'Fornecedor',
          charges: '0.00',
          endToEndId: expect.stringMatching(/^E12345678\d{12}[0-9A-Za-z]{11}$/),
          refundOf: null,
          errorReason: null,
          stateDates: { Registered: date, Completed: expect.stringMatching(DATE) },
        },
        payment: {
          method,
          key,
          recipient: {
            name: 'Maria Silva',
            cpf: '52998224725',
            account: account === null ? null : expect.objectContaining(account),
          },
        },
        webhook: expect.objectContaining({}),
      },
    });
    const after = await edge.api.balance(held);
    expect(Number(after.available)).toBeCloseTo(Number(before.available) - 10.5, 2);
    expect(after.held).toBe('0.00');
  });
});

describe('the two bodies of a cash-in', () => {
  it.each(['account', 'validationAccounts'] as const)('%s: gives a code, which is paid and credited', async (body) => {
    const before = await edge.api.balance(held);
    const created = await edge.api.post('/accounts/pix/cashin', cashInBody[body]());
    expect(created.status).toBe(201);
    const { id, date } = created.body.data.transaction;
    expect(created.body).toEqual({
      statusCode: 'Incomplete',
      data: {
        transaction: { ...summary, orderId: 'order-2' },
        payment: { qrCode: expect.any(String), qrCodeLocation: `${PUBLIC_URL}/pix/qrcode/${id}` },
      },
    });
    const { qrCode } = created.body.data.payment;
    expect(parseBrCode(qrCode)).toMatchObject({
      kind: 'Dynamic',
      oneTime: true,
      amount: 1050n,
      location: `pix.exemplo.br/pix/payload/${id.replaceAll('-', '')}`,
    });
    const paid = await edge.pay(qrCode);
    expect(paid.body.data.outcome).toBe('Settled');
    const read = await edge.api.get(`/accounts/transactions/${id}`);
    expect(read.body.data).toMatchObject({
      transaction: {
        state: 'Completed',
        type: 'CashIn',
        orderDescription: 'Pedido',
        endToEndId: paid.body.data.endToEndId,
        stateDates: { Registered: date, Completed: expect.stringMatching(DATE) },
      },
      payment: { qrCode, qrCodeLocation: `${PUBLIC_URL}/pix/qrcode/${id}` },
    });
    expect(Number((await edge.api.balance(held)).available)).toBeCloseTo(Number(before.available) + 10.5, 2);
  });
});

describe('a charge', () => {
  it('is fixed at creation, held with a cash-out and taken from a cash-in', async () => {
    const operator = new OperatorApi(edge.service.url);
    const patch = (path: string, body: object) => operator.patch(path, body);
    await patch(`/partners/${edge.partner.uid}/settings`, { cashOutCharge: '1.00', cashInCharge: '0.40' });
    const waiting = await edge.cashOut('10.98');
    const deposit = await edge.cashIn('5.00');
    await patch(`/partners/${edge.partner.uid}/settings`, { cashOutCharge: '9.00', cashInCharge: '2.00' });
    expect(await edge.api.balance(held)).toMatchObject({ held: '11.98' });
    const before = Number((await edge.api.balance(held)).available);
    await edge.force(waiting, 'fail');
    await edge.pay(deposit.qrCode);
    expect(Number((await edge.api.balance(held)).available)).toBeCloseTo(before + 11.98 + 4.6, 2);
    expect(await edge.transaction(deposit.id)).toMatchObject({ amount: '5.00', charges: '0.40' });
    expect(await edge.transaction(waiting)).toMatchObject({ state: 'Error', charges: '1.00' });
    await patch(`/partners/${edge.partner.uid}/settings`, { cashOutCharge: '0.00', cashInCharge: '0.00' });
  });
});

describe('what the secrets of a request become', () => {
  it('leaves neither names, tax numbers, keys nor header values readable in the database', async () => {
    await assertLedgerSound(edge.database);
    await tellEvents(edge.database);
    const [found] = await edge.database.query<{ n: string }>(`
      select count(*) as n from (
        select data::text as text from told.event union all select details::text from transaction
        union all select encode(value, 'escape') from secret
        union all select encode(value, 'escape') from registry_secret) as everything
      where text ~* 'maria|fulano|52998224725|"123456|secret of the partner|Fornecedor'`);
    expect(found!.n).toBe('0');
  });
});
