import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { PersonalDataCodec } from '../../src/event-store/index.js';
import { makeEndToEndId } from '../../src/pix/domain/values/end-to-end-id.js';
import { PartyBox } from '../../src/pix/rails/sandbox/party-box.js';
import { midnightOf, saoPauloDay } from '../../src/platform/sao-paulo.js';
import { signIn, type SignedIn } from '../support/console.js';
import { followed } from '../support/followed.js';
import { PAYER, PixEdge } from '../support/pix-edge.js';
import { ADMIN_TOKEN, SETTINGS } from '../support/service.js';
import { dayBefore, timerRuns } from '../support/timers.js';

/** Reads that join a table of a follower to one of the write path, while the follower lags. */
let edge: PixEdge;
let operator: SignedIn;

beforeAll(async () => {
  edge = await PixEdge.start();
  operator = await signIn(edge.service.url, ADMIN_TOKEN);
}, 60_000);
afterAll(() => edge?.stop());

/** A follower gets no further until it is let go: somebody else has its checkpoint. */
async function heldUp(consumer: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: edge.database.url });
  // A test that fails leaves it to the end of the database.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('begin');
  const { rows } = await client.query<{ partition: number }>('select partition from log_head');
  for (const { partition } of rows) {
    const place = [partition, consumer];
    // A cluster locks rows of one node at a time.
    await client.query('select from subscription where partition = $1 and consumer = $2 for update', place);
  }
  return () => client.end();
}

const pageOf = (path: string, limit: number, after: string | null = null) =>
  operator.get(`${path}?limit=${limit}${after === null ? '' : `&cursor=${after}`}`);
const positionsIn = (items: readonly { position: string }[]) => items.map(({ position }) => position);

it('a walk through the events of an account passes over none whose entries are not there yet', async () => {
  const [own, other] = edge.partner.accounts as [string, string];
  const events = `/audit/accounts/${own}/events`;
  await edge.api.transfer(other, '1.00');
  await followed(edge.database);
  const before = await pageOf(events, 100);
  const letGo = await heldUp('entries');
  await edge.cashOut('10.50');
  for (let i = 0; i < 5; i++) await edge.api.transfer(other, '1.00');
  const meanwhile = [await pageOf(events, 100), await pageOf(events, before.items.length + 2)];
  await letGo();
  await followed(edge.database);
  const whole = positionsIn((await pageOf(events, 100)).items);
  expect(whole.length).toBeGreaterThan(before.items.length + 6);
  for (const { items, nextCursor } of meanwhile) {
    const rest = nextCursor === null ? [] : positionsIn((await pageOf(events, 100, nextCursor)).items);
    const walked = [...positionsIn(items), ...rest];
    expect(walked).toEqual(whole.slice(0, walked.length));
  }
});

it('a transaction has its refunds, and their events, before the search has them', async () => {
  const deposit = await edge.cashIn('12.00');
  await edge.pay(deposit.qrCode);
  await edge.reaches(deposit.id, 'Completed');
  await followed(edge.database);
  const letGo = await heldUp('transaction-search');
  const refund = (await edge.api.post(`/accounts/pix/cashin/${deposit.id}/refunds`, { amount: '4.00' })).body.data;
  await edge.reaches(refund.transaction.id, 'Completed');
  const read = async () => ({
    events: (await pageOf(`/audit/transactions/${deposit.id}/events`, 100)).items.map(({ type }: any) => type),
    refunds: (await operator.get(`/admin/transactions/${deposit.id}`)).refunds.map(({ id }: any) => id),
  });
  const lagging = await read();
  await letGo();
  await followed(edge.database);
  expect(lagging).toEqual({
    events: ['CashInRegistered', 'CashInCompleted', 'RefundRegistered', 'RefundCompleted'],
    refunds: [refund.transaction.id],
  });
  expect(await read()).toEqual(lagging);
});

const found = (items: readonly { id: string; state: string }[]) => items.map(({ id, state }) => `${id} ${state}`);

it('a walk through a search passes over no payment that the search does not have yet', async () => {
  const [own, other] = edge.partner.accounts as [string, string];
  const known = await edge.cashIn('10.50');
  await edge.reaches(await edge.cashOut('10.50'), 'Completed');
  await followed(edge.database);
  const letGo = await heldUp('transaction-search');
  await edge.pay(known.qrCode);
  await edge.reaches(known.id, 'Completed');
  for (let i = 0; i < 2; i++) {
    await edge.api.transfer(other, '10.50');
    await edge.reaches(await edge.cashOut('10.50'), 'Completed');
  }
  await edge.cashIn('10.50');
  const searches = [
    ...[
      'state=Completed',
      'type=Transfer',
      'type=CashOut',
      'type=CashIn&state=Completed',
      'type=CashIn&state=Registered',
    ],
    ...['amount=10.50', 'amount=10.50&type=CashOut', 'amount=10.50&state=Completed', 'orderId=pedido-2'],
    ...['taxNumber=11144477735', `partner=${edge.partner.uid}&type=CashOut`, `account=${own}`],
    `partner=${edge.partner.uid}&amount=10.50`,
  ];
  const read = (search: string, limit: number, after: string | null = null) =>
    operator.get(`/admin/transactions?${search}&limit=${limit}${after === null ? '' : `&cursor=${after}`}`);
  const lagging = [];
  for (const search of searches) lagging.push([await read(search, 100), await read(search, 2)]);
  await letGo();
  await followed(edge.database);
  for (const [i, search] of searches.entries()) {
    const whole = found((await read(search, 100)).items);
    const [all, first] = lagging[i]!;
    expect([search, found(all.items)]).toEqual([search, whole]);
    const rest = first.nextCursor === null ? [] : found((await read(search, 100, first.nextCursor)).items);
    expect([search, [...found(first.items), ...rest]]).toEqual([search, whole]);
  }
});

/** A payment of the last second of yesterday that the service learns of only now. @returns its EndToEndId */
async function paidYesterday(): Promise<string> {
  const at = new Date(midnightOf(saoPauloDay(new Date())).getTime() - 1_000);
  const id = makeEndToEndId({ prefix: 'E', ispb: '60701190', at, partition: 0, random: randomBytes(8) });
  const box = new PartyBox(new PersonalDataCodec(Buffer.from(SETTINGS.MASTER_KEY, 'base64')));
  await edge.database.query(
    'insert into sandbox.payment_in (end_to_end_id, amount, payer, at) values ($1, 12345, $2, $3)',
    [id, box.seal(id, PAYER), at],
  );
  await edge.database.query('update pix_sweep set swept_until = $1', [at]);
  await timerRuns(edge.database, 'pix-sweep');
  return id;
}

it('a night is compared once its movements are there: no payment that was booked is a case', async () => {
  const day = dayBefore(1);
  await timerRuns(edge.database, 'pix-sweep');
  await followed(edge.database);
  const letGo = await heldUp('pix-movements');
  const id = await paidYesterday();
  expect(await edge.database.query('select from event where strpos(data::text, $1) > 0', [id])).not.toEqual([]);
  await timerRuns(edge.database, 'pix-reconcile');
  const cases = async () => (await operator.get('/admin/reconciliation/cases')).items;
  const read = () => operator.request('GET', `/admin/reconciliation?date=${day}`);
  const lagging = { cases: await cases(), compared: (await read()).status };
  await letGo();
  await timerRuns(edge.database, 'pix-reconcile');
  expect(lagging).toEqual({ cases: [], compared: 503 });
  expect(await cases()).toEqual([]);
  expect(await edge.database.query('select day, mismatched from reconciled_day')).toEqual([{ day, mismatched: 0 }]);
  expect((await read()).body.data).toMatchObject({ matches: true, ledger: { PaymentIn: { count: 1 } } });
}, 60_000);
