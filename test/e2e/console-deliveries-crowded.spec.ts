import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { newId, partitionOf } from '../../src/event-store/index.js';
import { originKeyOf } from '../../src/webhooks/domain/delivery.js';
import { signIn, type SignedIn } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN } from '../support/service.js';

/** More than are read of a partition. */
const CROWD = 10_001;
/** Lower than any account's. */
const FIRST_ACCOUNT = '00000000-0000-7001-8000-000000000000';
const CROWDED = 'crowded.example';
/** Where nobody listens. */
const OURS = '127.0.0.1:65535';
const WAITING = '127.0.0.1:65534';
const SPLIT = '127.0.0.1:65533';

let edge: PixEdge;
let operator: SignedIn;
let partition: number;
let transaction: string;
let newest: string[];
const crowd = randomUUID();

beforeAll(async () => {
  edge = await PixEdge.start({ LEDGER_PARTITIONS: '2', WEBHOOK_RETRY_SCHEDULE: '0s' });
  partition = partitionOf(edge.partner.accounts[0]!)!;
  newest = many(CROWD).sort().reverse();
  await insert({ partner: crowd, account: FIRST_ACCOUNT, host: CROWDED, ids: newest });
  await insert({ partner: crowd, account: FIRST_ACCOUNT, host: CROWDED, ids: many(CROWD), status: 'Retrying' });

  const { body } = await edge.api.post('/accounts/pix/cashin', {
    payment: { value: { original: '5.00' } },
    transaction: { orderId: 'o', orderDescription: 'Pedido' },
    webhook: { url: `http://${OURS}/hook` },
  });
  transaction = body.data.transaction.id;
  expect((await edge.api.post(`/accounts/pix/cashin/${transaction}/cancel`)).status).toBe(200);
  operator = await signIn(edge.service.url, ADMIN_TOKEN);
  await eventually(async () => (await statusOf(transaction)) === 'Exhausted');
}, 60_000);
afterAll(async () => {
  await edge?.stop();
});

const list = (query = '') => operator.get(`/admin/webhooks/deliveries?${query}`);
const statusOf = async (id: string) =>
  (await edge.database.query('select status from webhook_delivery where transaction_id = $1', [id]))[0]?.status;
const redeliver = (host: string) => operator.request('POST', '/admin/webhooks/deliveries/redeliver', { host });
const many = (count: number, home = partition) => Array.from({ length: count }, () => newId(home));

interface Inserted {
  readonly partner: string;
  readonly account: string;
  readonly host: string;
  readonly ids: readonly string[];
  readonly status?: string;
  /** Of all of them; by default each is one of its own. */
  readonly chain?: string;
  readonly dueInHours?: number | null;
}

async function insert({ partner, account, host, ids, status = 'Exhausted', chain, dueInHours }: Inserted) {
  const url = `http://${host}/hook`;
  const due = dueInHours === undefined ? (status === 'Retrying' ? 1 : null) : dueInHours;
  await edge.database.query(
    `insert into webhook_delivery (partition, id, position, chain, type, account_uid, partner_uid, lane, url, material,
       status, due_at)
     select $1, id, n, coalesce($2::uuid, gen_random_uuid()), 'hold.placed', $3, $4, $5, $6, $7, $8,
       now() + make_interval(hours => $9)
     from unnest($10::uuid[]) with ordinality as own (id, n)`,
    [
      ...[partitionOf(ids[0]!), chain, account, partner, originKeyOf(partner, url), url],
      ...[{ notification: { type: 'hold.placed', timestamp: '', data: {} } }, status, due, ids],
    ],
  );
}

describe('beside a partner with more undelivered webhooks than are read of a partition', () => {
  it('those of another are found by host, partner and transaction', async () => {
    for (const query of [
      `host=${OURS}`,
      `host=${OURS}&status=Exhausted`,
      `partner=${edge.partner.uid}`,
      `transaction=${transaction}`,
      `transaction=${transaction}&host=${OURS}&partner=${edge.partner.uid}&status=Exhausted`,
    ])
      expect({ query, items: (await list(query)).items }).toMatchObject({
        query,
        items: [{ transactionId: transaction, host: OURS, status: 'Exhausted' }],
      });
    for (const query of [`transaction=${transaction}&host=${CROWDED}`, `transaction=${transaction}&status=Pending`])
      expect({ query, items: (await list(query)).items }).toEqual({ query, items: [] });
  });

  it('those of another that are to be sent are found, and what waits for them', async () => {
    const chain = randomUUID();
    // Of one millisecond the order is left to chance.
    const [first, second] = many(2).sort();
    const own = { partner: edge.partner.uid, account: edge.partner.accounts[0]!, host: WAITING, chain };
    await insert({ ...own, ids: [first!], status: 'Retrying' });
    await insert({ ...own, ids: [second!], status: 'Pending' });
    const idsOf = async (query: string) => (await list(query)).items.map(({ id }: any) => id);
    expect(await idsOf(`host=${WAITING}`)).toEqual([second, first]);
    expect(await idsOf(`host=${WAITING}&status=Pending`)).toEqual([second]);
    expect(await idsOf(`partner=${edge.partner.uid}&status=Retrying`)).toEqual([first]);
    expect(await idsOf(`partner=${edge.partner.uid}&limit=2`)).toEqual([second, first]);
  });

  it('all hosts are listed, and those of the one with the most page by page, newest first', async () => {
    const first = await list(`host=${CROWDED}&status=Exhausted&limit=100`);
    const second = await list(`host=${CROWDED}&status=Exhausted&limit=100&cursor=${first.nextCursor}`);
    expect(first.hosts.map(({ host }: any) => host)).toEqual([CROWDED, WAITING, OURS]);
    expect([...first.items, ...second.items].map(({ id }: any) => id)).toEqual(newest.slice(0, 200));
  });

  it('those of another are redelivered by host', async () => {
    expect(await redeliver(OURS)).toMatchObject({ status: 202, body: { data: { queued: 1, more: false } } });
    expect(await redeliver(CROWDED)).toMatchObject({ status: 202, body: { data: { queued: 200, more: true } } });
  });
});

it('a redelivery by host of which one is refused tells how many are queued, and that there are more', async () => {
  const other = 3 - partition;
  const own = { partner: edge.partner.uid, account: edge.partner.accounts[0]!, host: SPLIT };
  await insert({ ...own, ids: many(2) });
  await insert({ ...own, ids: many(1, other) });
  const holder = new pg.Client({ connectionString: edge.database.url });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from log_head where partition = $1 for update', [other]);
    expect(await redeliver(SPLIT)).toMatchObject({ status: 202, body: { data: { queued: 2, more: true } } });
  } finally {
    await holder.end();
  }
  await eventually(async () => {
    const { status, body } = await redeliver(SPLIT);
    return status === 202 && body.data.queued > 0 && !body.data.more;
  });
}, 60_000);
