import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi } from '../support/api.js';
import { signIn, type SignedIn } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN } from '../support/service.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

const NOBODY = '127.0.0.1:65535';

let edge: PixEdge;
let receiver: Receiver;
let operator: SignedIn;
let status = 500;
const ours: string[] = [];

beforeAll(async () => {
  edge = await PixEdge.start({ LEDGER_PARTITIONS: '2', WEBHOOK_RETRY_SCHEDULE: '0s' });
  receiver = await startReceiver((response) => response.writeHead(status).end());
  for (const url of [1, 2, 3].map(() => `http://127.0.0.1:${receiver.port}/hook`).concat(`http://${NOBODY}/hook`)) {
    const { body } = await edge.api.post('/accounts/pix/cashin', {
      payment: { value: { original: '5.00' } },
      transaction: { orderId: `o-${ours.length}`, orderDescription: 'Pedido' },
      webhook: { url },
    });
    const { id } = body.data.transaction;
    ours.push(id);
    expect((await edge.api.post(`/accounts/pix/cashin/${id}/cancel`)).status).toBe(200);
  }
  operator = await signIn(edge.service.url, ADMIN_TOKEN);
  await eventually(async () => (await list('status=Exhausted')).items.length === 4);
}, 60_000);
afterAll(async () => {
  await edge?.stop();
  await receiver?.close();
});

const list = (query = '') => operator.get(`/admin/webhooks/deliveries?${query}`);
const transactionsOf = ({ items }: any) => items.map(({ transactionId }: any) => transactionId).sort();

describe('undelivered webhooks of all accounts', () => {
  it('are listed newest first, with whose they are, what the receiver said, and their hosts', async () => {
    const { items, hosts } = await list();
    expect(transactionsOf({ items })).toEqual([...ours].sort());
    expect(items.map(({ id }: any) => id)).toEqual(
      items
        .map(({ id }: any) => id)
        .toSorted()
        .reverse(),
    );
    expect(items.find(({ transactionId }: any) => transactionId === ours[0])).toMatchObject({
      ...{ status: 'Exhausted', host: `127.0.0.1:${receiver.port}`, httpStatus: 500, error: null, nextAttemptAt: null },
      ...{ partnerName: 'Loja Teste Ltda', accountName: 'Conta 1', transactionState: 'Cancelled', attempts: 1 },
      ...{ orderId: 'o-0', amount: '5.00', circuit: null },
    });
    expect(hosts).toEqual([
      { host: `127.0.0.1:${receiver.port}`, retrying: 0, stopped: 0, exhausted: 3, waiting: 0, circuit: null },
      { host: NOBODY, retrying: 0, stopped: 0, exhausted: 1, waiting: 0, circuit: null },
    ]);
  });

  it('are found by status, partner, host and transaction, and page by page', async () => {
    expect(transactionsOf(await list(`host=${NOBODY}`))).toEqual([ours[3]]);
    expect(transactionsOf(await list(`transaction=${ours[1]}`))).toEqual([ours[1]]);
    expect(transactionsOf(await list(`partner=${edge.partner.uid}&status=Exhausted`))).toHaveLength(4);
    expect(transactionsOf(await list('status=Retrying'))).toEqual([]);
    const first = await list('limit=3');
    const second = await list(`limit=3&cursor=${first.nextCursor}`);
    expect([...transactionsOf(first), ...transactionsOf(second)].sort()).toEqual([...ours].sort());
    expect(second.nextCursor).toBeNull();
    for (const query of [
      'status=Lost',
      'partner=x',
      'transaction=1',
      'host=a&host=b',
      `status=Exhausted&cursor=${first.nextCursor}`,
    ])
      expect({ query, status: (await operator.request('GET', `/admin/webhooks/deliveries?${query}`)).status }).toEqual({
        query,
        status: 400,
      });
  });

  it('are redelivered by host: all failed ones there and no others', async () => {
    status = 200;
    const again = (host: string) => operator.request('POST', '/admin/webhooks/deliveries/redeliver', { host });
    expect((await again('')).status).toBe(400);
    const { status: answered, body } = await again(`127.0.0.1:${receiver.port}`);
    expect({ answered, data: body.data }).toEqual({ answered: 202, data: { queued: 3, more: false } });
    await eventually(async () => (await list()).items.length === 1);
    expect(transactionsOf(await list())).toEqual([ours[3]]);
  });

  it('are counted, found and redelivered at their host, however their address goes on, and writes it', async () => {
    status = 500;
    const host = `localhost:${receiver.port}`;
    const exhausted = async () => (await list()).hosts.find((one: any) => one.host === host)?.exhausted;
    for (const end of ['?token=a/b', '#a', `/hook`]) {
      const url = `http://LOCALHOST:${receiver.port}${end}`;
      expect((await edge.api.post('/webhooks/test', { url })).status).toBe(202);
    }
    await eventually(async () => (await exhausted()) === 3);
    const found = (await list(`host=${host}`)).items;
    expect(found.map((one: any) => one.host)).toEqual([host, host, host]);
    status = 200;
    const again = await operator.request('POST', '/admin/webhooks/deliveries/redeliver', { host });
    expect(again.body.data).toEqual({ queued: 3, more: false });
    await eventually(async () => (await list(`status=Delivered&host=${host}`)).items.length === 3);
    expect((await list(`status=Delivered&host=LOCALHOST:${receiver.port}`)).items).toHaveLength(3);
  });

  it('show how often each was tried, also where older attempts are not stored any more', async () => {
    const ofNobody = async () => (await list(`transaction=${ours[3]}`)).items[0];
    const { id } = await ofNobody();
    await edge.database.query(
      `update webhook_delivery set attempts_made = 100, attempts = (
         select jsonb_agg(attempts -> 0 || jsonb_build_object('number', n) order by n) from generate_series(1, 100) as n)
       where id = $1`,
      [id],
    );
    expect((await operator.request('POST', `/admin/webhooks/deliveries/${id}/redeliver`)).status).toBe(202);
    await eventually(async () => (await ofNobody()).attempts > 100);
    expect(await ofNobody()).toMatchObject({ status: 'Exhausted', attempts: 101 });
  });

  it('are listed where a row that somebody changed has no address', async () => {
    await edge.database.query(`update webhook_delivery set url = 'nowhere' where transaction_id = $1`, [ours[3]]);
    const { items, hosts } = await list();
    expect(items).toMatchObject([{ transactionId: ours[3], url: 'nowhere', host: 'nowhere' }]);
    expect(hosts).toMatchObject([{ host: 'nowhere', exhausted: 1 }]);
  });

  it('are for operators only', async () => {
    const { token } = await new OperatorApi(edge.service.url).post('/auditors', { name: 'All' });
    const auditor = await signIn(edge.service.url, token);
    expect((await auditor.request('GET', '/admin/webhooks/deliveries')).status).toBe(403);
  });
});
