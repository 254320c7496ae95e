import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN } from '../support/service.js';

/** The largest amount that a request can name; so often beside 1,000.00, and what is left then of nine quintillions. */
const LARGEST = '9999999999999.99';
const CREDITS = 8_999;
const LAST = '9999999999089.99';
const FULL = '90000000000000000.00';
const AT_ONCE = 150;

let edge: PixEdge;
let full: string;
let other: string;
beforeAll(async () => {
  edge = await PixEdge.start();
  [full, other] = edge.partner.accounts as [string, string];
}, 60_000);
afterAll(() => edge.stop());

const credit = (uid: string, amount: string, headers = {}) =>
  call(edge.service.url, 'POST', `/admin/accounts/${uid}/credits`, {
    token: ADMIN_TOKEN,
    body: { amount, reason: 'Teste' },
    headers,
  });
/** What the service refuses while it has too much to do is asked again: nothing was done. */
async function credited(uid: string, amount: string): Promise<number> {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  return eventually(
    async () => {
      const { status } = await credit(uid, amount, headers);
      return status !== 503 && status;
    },
    { within: 20_000, every: 200 },
  );
}
const available = async () => (await edge.api.balance(full)).available;
const depositOf = (original: string) => ({
  payment: { value: { original } },
  transaction: { orderId: 'pedido-3' },
  webhook: { url: 'http://127.0.0.1:65535/hook' },
});
const exceeded = {
  status: 422,
  body: { error: { name: 'OperationError', details: { reason: 'BalanceLimitExceeded' } } },
};

it('an account that holds all that it can refuses more, gives deposits back, and takes what comes back', async () => {
  // What the operator funded is full too, so the other account's money comes by Pix.
  const key = await new OperatorApi(edge.service.url).post(`/accounts/${other}/access-keys`, {});
  const sender = await PartnerApi.login(edge.service.url, key);
  const { payment } = (await sender.post('/accounts/pix/cashin', depositOf('5.00'))).body.data;
  await edge.pay(payment.qrCode);
  // Registered while there was room.
  const deposit = await edge.cashIn('10.00');
  for (let left = CREDITS; left > 0; left -= AT_ONCE) {
    const credits = Array.from({ length: Math.min(left, AT_ONCE) }, () => credited(full, LARGEST));
    expect(new Set(await Promise.all(credits))).toEqual(new Set([201]));
  }
  expect((await credit(full, LAST)).status).toBe(201);
  expect(await available()).toBe(FULL);

  expect(await credit(full, '0.01')).toMatchObject(exceeded);
  expect(await sender.transfer(full, '1.00')).toMatchObject(exceeded);
  expect(await edge.api.post('/accounts/pix/cashin', depositOf('1.00'))).toMatchObject(exceeded);

  await edge.pay(deposit.qrCode);
  expect(await edge.reaches(deposit.id, 'Error')).toMatchObject({ errorReason: 'BalanceLimitExceeded' });

  // Of this amount, the sandbox ends none by itself.
  const payout = await edge.cashOut('7.98');
  expect((await credit(full, '0.01')).status).toBe(422);
  expect(await edge.force(payout, 'fail')).toMatchObject({ status: 200, body: { data: { state: 'Error' } } });
  expect(await available()).toBe(FULL);
  await assertLedgerSound(edge.database);
}, 90_000);
