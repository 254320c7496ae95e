import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { eventually } from '../support/eventually.js';
import { PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN } from '../support/service.js';

let edge: PixEdge;
let operator: OperatorApi;
let uid: string;

beforeAll(async () => {
  edge = await PixEdge.start();
  operator = new OperatorApi(edge.service.url);
  uid = edge.partner.accounts[0]!;
}, 60_000);

afterAll(async () => {
  await assertLedgerSound(edge.database);
  await edge.stop();
});

const refused = (answer: { status: number; body: any }) => [answer.status, answer.body.error.details.reason];
const balance = () => edge.api.balance(uid);
const credit = (amount: string) => operator.post(`/accounts/${uid}/credits`, { amount, reason: 'Teste' });
const caseOf = async (id: string) => (await edge.api.get(`/med/${id}`)).body.data;
const decide = (id: string, body: object, key?: string) =>
  call(edge.service.url, 'POST', `/admin/med/${id}/decision`, {
    token: ADMIN_TOKEN,
    body,
    ...(key && { headers: { 'idempotency-key': key } }),
  });
const reaches = (id: string, status: string) =>
  eventually(async () => {
    const known = await caseOf(id);
    return known.status === status && known;
  });

/** A deposit that is paid. */
async function deposit(amount: string): Promise<{ id: string; endToEndId: string }> {
  const { id, qrCode } = await edge.cashIn(amount);
  await edge.pay(qrCode);
  const { endToEndId } = await edge.reaches(id, 'Completed');
  return { id, endToEndId };
}

/** Everything but an amount is paid out. */
async function leave(amount: string): Promise<void> {
  const { available } = await balance();
  const rest = (Number(available) - Number(amount)).toFixed(2);
  if (Number(rest) > 0) expect((await edge.api.transfer(edge.partner.accounts[1]!, rest)).status).toBe(201);
}

const report = async (endToEndId: string, more: object = {}) => {
  const told = await edge.sandbox('POST', '/infractions', { endToEndId, reason: 'Scam', details: 'Golpe', ...more });
  expect(told.status).toBe(201);
  return told.body.data as { id: string; status: string };
};

/** The newest case of the account. */
const newest = () =>
  eventually(async () => {
    const { items } = (await edge.api.get('/med?limit=1')).body.data;
    return items[0];
  });

const returnsOf = async (endToEndId: string) => {
  const rows = await edge.database.query<{ amount: string; status: string }>(
    `select amount, status from sandbox.refund_out where end_to_end_id = $1 order by at`,
    [endToEndId],
  );
  return rows.map(({ amount, status }) => [Number(amount), status]);
};

describe('a report of an infraction', () => {
  it('blocks what is there, is defended, agreed with, and goes back in parts as money comes in', async () => {
    const paid = await deposit('100.00');
    await leave('30.00');
    const told = await report(paid.endToEndId);
    const opened = await newest();
    expect(opened).toMatchObject({
      transactionId: paid.id,
      endToEndId: paid.endToEndId,
      reason: 'Scam',
      details: 'Golpe',
      amount: '100.00',
      status: 'Open',
      agreed: null,
      returned: '0.00',
      defence: null,
    });
    expect(await balance()).toEqual({ available: '0.00', held: '0.00', blocked: '30.00' });
    const holds = (await edge.api.get(`/accounts/${uid}/holds`)).body.data.items;
    expect(holds[0]).toMatchObject({ id: opened.holdId, cause: 'Med', reference: opened.id, amount: '100.00' });

    const defence = { text: 'Entregue', links: ['https://loja.example/recibo'] };
    const said = await edge.api.post(`/med/${opened.id}/defence`, defence);
    expect(said).toMatchObject({ status: 200, body: { data: { status: 'Defended', defence } } });
    expect(refused(await edge.api.post(`/med/${opened.id}/defence`, defence))).toEqual([422, 'DefenceNotPossible']);

    const agreed = await decide(opened.id, { decision: 'Agreed', note: 'Sem recibo' }, 'decide');
    expect(agreed).toMatchObject({
      status: 200,
      body: { data: { status: 'Agreed', agreed: '100.00', note: 'Sem recibo' } },
    });
    expect(
      (await decide(opened.id, { decision: 'Agreed', note: 'Sem recibo' }, 'decide')).headers.get(
        'idempotent-replayed',
      ),
    ).toBe('true');
    expect(refused(await decide(opened.id, { decision: 'Rejected' }))).toEqual([422, 'InfractionIsDecided']);
    await eventually(async () => (await caseOf(opened.id)).returned === '30.00');
    expect(await balance()).toEqual({ available: '0.00', held: '0.00', blocked: '0.00' });
    await eventually(async () => (await edge.sandbox('GET', `/infractions/${told.id}`)).body.data.status === 'Agreed');

    await credit('20.00');
    await eventually(async () => (await caseOf(opened.id)).returned === '50.00');
    // An ordinary refund and the MED together give back no more than came in.
    await operator.post(`/accounts/${edge.partner.accounts[1]}/credits`, { amount: '1.00', reason: 'Teste' });
    expect(refused(await edge.api.post(`/accounts/pix/cashin/${paid.id}/refunds`, { amount: '50.01' }))).toEqual([
      422,
      'RefundExceedsOriginal',
    ]);
    await credit('80.00');
    expect(await reaches(opened.id, 'Closed')).toMatchObject({
      returned: '100.00',
      pending: '0.00',
      ending: 'Returned',
    });
    expect(await balance()).toEqual({ available: '30.00', held: '0.00', blocked: '0.00' });
    expect(await returnsOf(paid.endToEndId)).toEqual([
      [3_000, 'Settled'],
      [2_000, 'Settled'],
      [5_000, 'Settled'],
    ]);
    const refunds = (await edge.api.get('/accounts/transactions?type=Refund')).body.data.items;
    expect(
      refunds.map(({ transaction }: any) => [transaction.amount, transaction.state, transaction.refundOf]),
    ).toEqual([
      ['50.00', 'Completed', paid.id],
      ['20.00', 'Completed', paid.id],
      ['30.00', 'Completed', paid.id],
    ]);
  });

  it('that is rejected releases what was blocked', async () => {
    const paid = await deposit('12.00');
    const told = await report(paid.endToEndId, { amount: '5.00' });
    const { id } = await newest();
    const before = await balance();
    expect(before).toMatchObject({ blocked: '5.00' });
    expect((await decide(id, { decision: 'Rejected' })).body.data).toMatchObject({ status: 'Rejected' });
    expect(await balance()).toMatchObject({ blocked: '0.00', available: (Number(before.available) + 5).toFixed(2) });
    await eventually(
      async () => (await edge.sandbox('GET', `/infractions/${told.id}`)).body.data.status === 'Rejected',
    );
    expect(await returnsOf(paid.endToEndId)).toEqual([]);
  });
});
