import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { PixEdge } from '../support/pix-edge.js';

let edge: PixEdge;
let other: PartnerApi;
let transfer: string;
let payout: any;
let deposit: string;
let created: string[];

beforeAll(async () => {
  edge = await PixEdge.start();
  const [, second] = edge.partner.accounts as [string, string];
  const credentials = await new OperatorApi(edge.service.url).post(`/accounts/${second}/access-keys`, {});
  other = await PartnerApi.login(edge.service.url, credentials);
  transfer = (await edge.api.transfer(second, '3.00')).body.data.id;
  payout = await edge.reaches(await edge.cashOut('2.00'), 'Completed');
  deposit = (await edge.cashIn('4.00')).id;
  created = [transfer, payout.id, deposit];
}, 60_000);
afterAll(() => edge.stop());

const list = async (query = '', api = edge.api) => {
  const answer = await api.get(`/accounts/transactions?${query}`);
  expect(answer.status).toBe(200);
  return answer.body.data;
};
const idsOf = async (query?: string, api?: PartnerApi) =>
  ((await list(query, api)).items as any[]).map(({ transaction }) => transaction.id);

describe('the list of transactions', () => {
  it('has all kinds, newest first, in the same shape as one by id', async () => {
    const { items, nextCursor } = await list();
    expect(items.map((item: any) => item.transaction.id)).toEqual(created.toReversed());
    expect(nextCursor).toBeNull();
    for (const item of items) {
      const one = await edge.api.get(`/accounts/transactions/${item.transaction.id}`);
      expect(one.body.data).toMatchObject({ transaction: item.transaction, payment: item.payment });
    }
  });

  it('shows a transfer to both accounts, with another sign', async () => {
    const shape = (amount: string) => ({
      transaction: expect.objectContaining({
        id: transfer,
        type: 'Transfer',
        state: 'Completed',
        amount,
        orderId: null,
      }),
      payment: null,
      webhook: null,
    });
    expect((await list('type=Transfer')).items).toEqual([shape('-3.00')]);
    expect((await list('', other)).items).toEqual([shape('3.00')]);
    expect((await other.get(`/accounts/transactions/${transfer}`)).body.data).toEqual(shape('3.00'));
  });

  it('is filtered by type, state, order, identifier of the rail and time', async () => {
    expect(await idsOf('type=CashOut')).toEqual([payout.id]);
    expect(await idsOf('state=Registered')).toEqual([deposit]);
    expect(await idsOf('orderId=pedido-1')).toEqual([deposit]);
    expect(await idsOf('orderId=pedido-1&type=CashOut')).toEqual([]);
    expect(await idsOf(`endToEndId=${payout.endToEndId}`)).toEqual([payout.id]);
    expect(await idsOf(`endToEndId=${payout.endToEndId}`, other)).toEqual([]);
    expect(await idsOf(`endToEndId=${payout.endToEndId}&orderId=pedido-1`)).toEqual([]);
    const { date } = payout;
    expect(await idsOf(`from=${date}`)).toEqual([deposit, payout.id]);
    expect(await idsOf(`to=${date}`)).toEqual([transfer]);
    expect(await idsOf('from=2999-01-01')).toEqual([]);
    expect(await idsOf('to=2001-01-01')).toEqual([]);
    expect(await idsOf('from=2001-01-01&to=2999-01-01')).toEqual(created.toReversed());
  });

  it('goes on page by page, each cursor bound to its filters', async () => {
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await list(`limit=1${cursor && `&cursor=${cursor}`}`);
      expect(page.items).toHaveLength(1);
      seen.push(page.items[0].transaction.id);
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(created.toReversed());
    const { nextCursor } = await list('limit=1');
    expect((await edge.api.get(`/accounts/transactions?type=CashIn&cursor=${nextCursor}`)).status).toBe(400);
    expect((await other.get(`/accounts/transactions?cursor=${nextCursor}`)).status).toBe(400);
  });

  it('has what was acknowledged before it was asked for, however many ask for the same', async () => {
    const known = [...created];
    const [, second] = edge.partner.accounts as [string, string];
    const ending = new AbortController();
    // They share reads with those below.
    const pollers = Array.from({ length: 24 }, async (_, i) => {
      while (!ending.signal.aborted) await list('limit=100', i % 2 === 0 ? edge.api : other);
    });
    try {
      for (let i = 0; i < 60; i++) {
        known.push((await edge.api.transfer(second, '1.00')).body.data.id);
        const [ours, theirs] = await Promise.all([list('limit=100'), list('limit=100', other)]);
        const newest = known.at(-1);
        expect(ours.items[0].transaction).toMatchObject({ id: newest, amount: '-1.00' });
        expect(theirs.items[0].transaction).toMatchObject({ id: newest, amount: '1.00' });
      }
    } finally {
      ending.abort();
      await Promise.all(pollers);
    }
    expect(await idsOf('limit=100')).toEqual(known.toReversed());
  });

  it.each([
    'type=Payment',
    'state=Paid',
    'limit=0',
    'limit=101',
    'from=yesterday',
    'cursor=x',
    'type=CashIn&type=CashOut',
    'orderId=%00',
  ])('refuses %s', async (query) => {
    const answer = await edge.api.get(`/accounts/transactions?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { error: { name: 'InvalidInputError' } } });
  });
});

describe('a transaction by id', () => {
  it('is not found where it is another account’s, or nobody’s', async () => {
    const stranger = await new OperatorApi(edge.service.url).partner(['1.00']);
    const api = await PartnerApi.login(edge.service.url, stranger.credentials);
    for (const [who, id] of [
      [api, payout.id],
      [other, payout.id],
      [edge.api, '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e'],
      [edge.api, 'nothing'],
    ] as const) {
      const answer = await who.get(`/accounts/transactions/${id}`);
      expect(answer.status).toBe(404);
      expect(answer.body.error.details).toMatchObject({
        entityName: 'TransactionEntity',
        parameterName: 'id',
        parameterValue: id,
      });
    }
  });
});
