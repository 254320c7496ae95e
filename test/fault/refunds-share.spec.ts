import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { txidOf } from '../../src/pix/domain/values/txid.js';
import { PIX_RAIL, type PixRail } from '../../src/pix/rails/pix-rail.js';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { type InProcess, startInProcess } from '../support/in-process.js';
import { PixEdge } from '../support/pix-edge.js';

/** More than a process sends at once. */
const REFUNDS = 80;

let edge: PixEdge;
let worker: InProcess;
beforeAll(async () => {
  edge = await PixEdge.start({ ROLE: 'api' });
  worker = await startInProcess(edge.database, { ROLE: 'worker' });
}, 60_000);
afterAll(async () => {
  await worker?.close();
  await edge?.stop();
});

/** A deposit that was asked for. */
async function asked(api: PartnerApi, expiresIn?: number): Promise<{ id: string; qrCode: string }> {
  const created = await api.post('/accounts/pix/cashin', {
    payment: { value: { original: '100.00' } },
    transaction: { orderId: 'pedido', ...(expiresIn && { expiresIn }) },
    webhook: { url: 'http://127.0.0.1:65535/hook' },
  });
  const { transaction, payment } = created.body.data;
  return { id: transaction.id, qrCode: payment.qrCode };
}

/** A deposit that was paid. */
async function deposit(api: PartnerApi): Promise<{ id: string; endToEndId: string }> {
  const transaction = await asked(api);
  await edge.pay(transaction.qrCode);
  const paid = await eventually(async () => {
    const one = (await api.get(`/accounts/transactions/${transaction.id}`)).body.data.transaction;
    return one.state === 'Completed' && one;
  });
  return { id: paid.id, endToEndId: paid.endToEndId };
}

it("a partner's refunds do not wait behind those of another, to which the rail gives no answer", async () => {
  const quick = await new OperatorApi(edge.service.url).partner(['0.00']);
  const api = await PartnerApi.login(edge.service.url, quick.credentials);
  const own = await deposit(api);
  const many = await deposit(edge.api);
  const rail = worker.app.get<PixRail>(PIX_RAIL, { strict: false });
  const refund = rail.refund.bind(rail);
  const answer = Promise.withResolvers<void>();
  let held = 0;
  rail.refund = async (instruction, attempts) => {
    if (instruction.endToEndId === many.endToEndId) {
      held += 1;
      await answer.promise;
    }
    return refund(instruction, attempts);
  };

  const ofMany = Array.from({ length: REFUNDS }, () =>
    edge.api.post(`/accounts/pix/cashin/${many.id}/refunds`, { amount: '0.01' }),
  );
  const ids = (await Promise.all(ofMany)).map(({ body }) => body.data.transaction.id as string);
  // All slots that one partner may have.
  await eventually(() => held >= 32);
  const { body } = await api.post(`/accounts/pix/cashin/${own.id}/refunds`, {});
  await eventually(async () => {
    const { data } = (await api.get(`/accounts/transactions/${body.data.transaction.id}`)).body;
    return data.transaction.state === 'Completed';
  });
  expect(held).toBeLessThan(REFUNDS);

  answer.resolve();
  for (const id of ids) await edge.reaches(id, 'Completed', 30_000);
  await assertLedgerSound(edge.database);
}, 60_000);

it("a partner's charges expire though the rail gives no answer to another's mass of them", async () => {
  const quick = await new OperatorApi(edge.service.url).partner(['0.00']);
  const api = await PartnerApi.login(edge.service.url, quick.credentials);
  const rail = worker.app.get<PixRail>(PIX_RAIL, { strict: false });
  const cancel = rail.cancelCharge.bind(rail);
  const answer = Promise.withResolvers<void>();
  const own = new Set<string>();
  let held = 0;
  rail.cancelCharge = async (txid) => {
    if (!own.has(txid)) {
      held += 1;
      await answer.promise;
    }
    return cancel(txid);
  };

  const ids = (await Promise.all(Array.from({ length: REFUNDS }, () => asked(edge.api, 1)))).map(({ id }) => id);
  await eventually(() => held >= 32);
  const { id } = await asked(api, 1);
  own.add(txidOf(id));
  await eventually(async () => {
    const { data } = (await api.get(`/accounts/transactions/${id}`)).body;
    return data.transaction.state === 'Cancelled';
  });
  expect(held).toBeLessThan(REFUNDS);

  answer.resolve();
  for (const one of ids) await edge.reaches(one, 'Cancelled', 30_000);
  await assertLedgerSound(edge.database);
}, 60_000);

it("what came in wrong goes back to its payer though the rail gives no answer to another partner's", async () => {
  const quick = await new OperatorApi(edge.service.url).partner(['0.00']);
  const api = await PartnerApi.login(edge.service.url, quick.credentials);
  const [one, many] = [await asked(api), await Promise.all(Array.from({ length: REFUNDS }, () => asked(edge.api)))];
  const rail = worker.app.get<PixRail>(PIX_RAIL, { strict: false });
  const refund = rail.refund.bind(rail);
  const answer = Promise.withResolvers<void>();
  let held = 0;
  rail.refund = async (instruction, attempts) => {
    if (instruction.amount !== 7_700n) {
      held += 1;
      await answer.promise;
    }
    return refund(instruction, attempts);
  };

  await Promise.all(many.map(({ qrCode }) => edge.pay(qrCode, {}, '66.00')));
  await eventually(() => held >= 32);
  await edge.pay(one.qrCode, {}, '77.00');
  const returned = () => edge.database.query(`select from event where type = 'PaymentReturnSettled'`);
  await eventually(async () => (await returned()).length === 1);
  expect(held).toBeLessThan(REFUNDS);

  answer.resolve();
  await eventually(async () => (await returned()).length === REFUNDS + 1, { within: 30_000 });
  await assertLedgerSound(edge.database);
}, 60_000);
