import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { partitionOf } from '../../src/event-store/index.js';
import { PixIdentifiers } from '../../src/pix/identifiers.js';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';
import { cashOutBody } from '../support/pix-bodies.js';
import { PAYER } from '../support/pix-edge.js';

let service: InProcessOwning;
let url: string;
let api: PartnerApi;
let account: string;
let identifiers: PixIdentifiers;
beforeAll(async () => {
  service = await startWithDatabase();
  await service.app.listen(0, '127.0.0.1');
  url = await service.app.getUrl();
  const partner = await new OperatorApi(url).partner(['100.00']);
  account = partner.accounts[0]!;
  api = await PartnerApi.login(url, partner.credentials);
  identifiers = service.app.get(PixIdentifiers, { strict: false });
}, 60_000);
afterAll(async () => {
  await assertLedgerSound(service.owner);
  await service.close();
});

/** The next identifiers that are made; after them they are random again. */
function next(...given: readonly string[]): void {
  const left = [...given];
  const random = PixIdentifiers.prototype.endToEndId.bind(identifiers);
  identifiers.endToEndId = (partition) => left.shift() ?? random(partition);
}

function nextReturn(given: string): void {
  const left = [given];
  const random = PixIdentifiers.prototype.newReturn.bind(identifiers);
  identifiers.newReturn = (partition) => {
    const made = random(partition);
    return { ...made, returnId: left.shift() ?? made.returnId };
  };
}

const transaction = async (id: string) => (await api.get(`/accounts/transactions/${id}`)).body.data.transaction;
const payOut = (value: string, key: string = crypto.randomUUID()) =>
  api.post('/accounts/pix/cashout', cashOutBody.account(value), { 'idempotency-key': key });
const completed = (id: string) =>
  eventually(async () => {
    const found = await transaction(id);
    return found.state === 'Completed' && found;
  });
/** The projection that reconciliation reads has seen what was settled: one row for one identifier. */
const moved = (kind: string, ids: readonly string[]) =>
  eventually(async () => {
    const rows = await service.owner.query('select from pix_movement where kind = $1 and rail_id = any($2)', [
      kind,
      ids,
    ]);
    return rows.length === ids.length;
  });

describe('an identifier of the rail that was made before', () => {
  it('is not a second payout’s: that gets another, and both are paid', async () => {
    const first = await transaction((await payOut('1.00')).body.data.transaction.id);
    next(first.endToEndId);
    const answer = await payOut('2.00');
    expect(answer.status).toBe(201);
    const second = await completed(answer.body.data.transaction.id);
    expect(second.endToEndId).not.toBe(first.endToEndId);
    await completed(first.id);
    const ids = [first.endToEndId, second.endToEndId];
    const sent = await service.owner.query<{ amount: string }>(
      'select amount from sandbox.payment_out where end_to_end_id = any($1) order by amount',
      [ids],
    );
    expect(sent.map(({ amount }) => amount)).toEqual(['100', '200']);
    await moved('PaymentOut', ids);
  });

  it('is one payout’s of several that come at once', async () => {
    const twice = identifiers.endToEndId(partitionOf(account)!);
    next(twice, twice, twice);
    const answers = await Promise.all(['3.00', '4.00', '5.00'].map((value) => payOut(value)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const payouts = await Promise.all(answers.map(({ body }) => completed(body.data.transaction.id)));
    const ids = payouts.map(({ endToEndId }) => endToEndId as string);
    expect(new Set(ids).size).toBe(3);
    expect(ids).toContain(twice);
    await moved('PaymentOut', ids);
  });

  it('that is made again and again costs an error, and nothing is done; the same request can be sent again', async () => {
    const first = await transaction((await payOut('1.00')).body.data.transaction.id);
    await completed(first.id);
    const before = await api.balance(account);
    const key = crypto.randomUUID();
    next(first.endToEndId, first.endToEndId);
    expect(await payOut('6.00', key)).toMatchObject({ status: 500, body: { error: { name: 'InternalError' } } });
    expect(await api.balance(account)).toEqual(before);
    const answer = await payOut('6.00', key);
    expect(answer.status).toBe(201);
    await completed(answer.body.data.transaction.id);
  });

  it('is not a second refund’s', async () => {
    const created = await api.post('/accounts/pix/cashin', {
      payment: { value: { original: '9.00' } },
      transaction: { orderId: 'pedido-1' },
      webhook: { url: 'http://127.0.0.1:65535/hook' },
    });
    const { transaction: cashIn, payment } = created.body.data;
    await call(url, 'POST', '/sandbox/pix/payments', { body: { qrCode: payment.qrCode, payer: PAYER } });
    await completed(cashIn.id);
    const refund = async (amount: string) =>
      (await api.post(`/accounts/pix/cashin/${cashIn.id}/refunds`, { amount })).body.data.transaction.id as string;
    const first = await completed(await refund('1.00'));
    nextReturn(first.endToEndId);
    const second = await completed(await refund('2.00'));
    expect(second.endToEndId).not.toBe(first.endToEndId);
    const ids = [first.endToEndId, second.endToEndId];
    const given = await service.owner.query<{ amount: string }>(
      'select amount from sandbox.refund_out where return_id = any($1) order by amount',
      [ids],
    );
    expect(given.map(({ amount }) => amount)).toEqual(['100', '200']);
    await moved('RefundOut', ids);
  });
});
