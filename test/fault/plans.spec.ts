import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { accountProjection } from '../../src/accounts/account.projection.js';
import { byEndToEndIds, listStatement } from '../../src/accounts/queries/transactions/transaction-rows.js';
import { transactionProjection } from '../../src/accounts/transactions/transaction.projection.js';
import { storedNodes } from '../../src/audit/tree/stored-nodes.js';
import { eventsAfter } from '../../src/event-store/log/event-log.js';
import { eventsOfStreams } from '../../src/event-store/log/whole-streams.js';
import { lockAndRead, lockHindmost } from '../../src/event-store/followers/follower-checkpoints.js';
import { orderProjection } from '../../src/pix/orders.projection.js';
import { WorkTable } from '../../src/event-store/work/work-table.js';
import { oneBehind } from '../../src/schedules/schedule-rows.js';
import { PLAN_ONCE, serviceConnection } from '../../src/platform/database/connection-settings.js';
import { Database } from '../../src/platform/database/index.js';
import { deliveryStates } from '../../src/webhooks/deliveries/delivery-states.js';
import { lockNewest, lockSendable, releaseNext } from '../../src/webhooks/deliveries/delivery-table.js';
import { newestStatuses } from '../../src/webhooks/queries/deliveries/delivery-rows.js';
import { openPartners, overOpen } from '../../src/webhooks/queries/failing/open-deliveries.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startService } from '../support/service.js';

/**
 * What statements by key do before PostgreSQL has statistics, which come a minute after a table has grown, and where
 * those do not know a partition yet: until they do, everybody would pay for a plan that reads a whole index.
 */
let database: TestDatabase;
let lane: pg.Client;

beforeAll(async () => {
  database = await createDatabase();
  await (await startService(database.url, { ROLE: 'api' })).stop();
  await database.query('alter table account set (autovacuum_enabled = false)');
  await database.query('alter table transaction set (autovacuum_enabled = false)');
  await open(1);
  await open(50);
  const limits = { statementTimeout: 5_000, lockTimeout: 5_000, idleInTransaction: 5_000 };
  lane = new pg.Client(serviceConnection(database.url, 'lane', limits));
  await lane.connect();
  await lane.query(PLAN_ONCE);
});

/** Partners with a hundred accounts each. */
async function open(partners: number): Promise<void> {
  await database.query(`
    insert into account
    select 1, gen_random_uuid(), partner, null, null, 'CHECKING', 'CUSTOMER', 'ACTIVE', 0, 0, 0, now(), 1
    from (select gen_random_uuid() as partner from generate_series(1, ${partners})), generate_series(1, 100)`);
}

afterAll(async () => {
  await lane?.end();
  await database?.drop();
});

const planOf = async (text: string) => {
  const { rows } = await lane.query<{ 'QUERY PLAN': string }>(text);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
};

const rows = [accountProjection.parse({ uid: 'x', available: '0', held: '0', blocked: '0' })];

it.each([
  ['loads', accountProjection.load(1, ['x'])],
  ['changes', accountProjection.save(1, { inserted: [], updated: rows })[0]!],
])('%s accounts by their key', async (_what, { text }) => {
  const plan = await planOf(`explain (generic_plan) ${text}`);
  expect(plan).toMatch(/Scan.* account_pkey/);
  expect(plan).not.toMatch(/account_by_partner|Seq Scan on account/);
});

it('loads transactions by their key', async () => {
  expect(await planOf(`explain (generic_plan) ${transactionProjection.load(1, ['x']).text}`)).toMatch(
    /Scan.* transaction_pkey/,
  );
});

it('lists what has an order that must be unique by indexes, however it was written', async () => {
  const filters = { orderId: 'x', type: 'CashOut', state: 'Error' } as const;
  const window = { partnerUid: 'x', accountUid: 'x', filters, uniqueOrderIds: true, before: null, limit: 2 };
  const plan = await planOf(`explain (generic_plan) ${listStatement(1, window, []).text}`);
  expect(plan.match(/Index Cond: .*account_uid = /g)).toHaveLength(2);
  expect(plan).toMatch(/transaction_by_order_identity on transaction.*\n.*Index Cond: .*btrim/);
  expect(plan).not.toMatch(/Seq Scan on transaction/);
});

it('looks for an order by indexes, however it was written, and never through a partition', async () => {
  const plan = await planOf(`explain (generic_plan) ${orderProjection.load(1, ['x']).text}`);
  expect(plan.match(/Index Cond: .*account_uid = n.account_uid/g)).toHaveLength(2);
  expect(plan).toMatch(/transaction_by_order_identity on transaction.*\n.*Index Cond: .*btrim/);
  expect(plan).not.toMatch(/SubPlan|Hash|Seq Scan on transaction/);
});

it.each([
  ['events', eventsAfter(1, 0n, 100)],
  ['what followers have not seen', lockAndRead(1, [], 100, null)],
  ['where their next events end', lockHindmost(1, [], 100, 1n)],
])('finds %s by their position', async (_what, { text }) => {
  const plan = await planOf(`explain (generic_plan) ${text}`);
  expect(plan).toMatch(/Index Scan using event_pkey on event.*\n.*Index Cond: .*"position"/);
});

it('finds the events of streams by their index, and those at positions by their key', async () => {
  const plan = await planOf(`explain (generic_plan) ${eventsOfStreams(1, []).text}`);
  expect(plan).toMatch(/Index Scan .*event_by_stream.*\n.*Index Cond: .*stream = ANY/);
  expect(plan).toMatch(/Index Scan .*event_pkey.*\n.*Index Cond: .*"position" = ANY/);
});

it('finds work by partner, and claims it by its key, however much of it one partner has', async () => {
  const { source } = new WorkTable(undefined!).worker('kind', 1, () => Promise.resolve('done'), 'Shared');
  const now = new Date();
  const room = { owners: new Map(), others: 8, limit: 8 };
  const due = await planOf(`explain (generic_plan) ${source.due(now, room, 1).text}`);
  expect(due).toMatch(/Index Scan using work_line on work .*\n.*Index Cond: .*= queued.uid.*due_at <= /);
  expect(due).toMatch(/One-Time Filter: \$8\n.*Index Scan using work_due/);
  expect(due.match(/work_due/g)).toHaveLength(1);
  const claim = await planOf(`explain (generic_plan) ${source.claim(1, [], 'x', now).text}`);
  expect(claim.match(/work_pkey.*\n.*Index Cond: .*id = ANY/g)).toHaveLength(2);
  expect(claim).not.toMatch(/Bitmap|Join|Loop|work_due|work_line/);
  const waiting = await planOf(`explain (generic_plan) ${source.place.waiting(1, [], now).text}`);
  expect(waiting).toMatch(/Index Scan using work_due on work .*\n.*Index Cond: .*kind = k.kind.*due_at <= /);
  expect(waiting).not.toMatch(/Hash|Merge/);
});

it('counts active schedules without those that have ended', async () => {
  expect(await planOf(`explain (generic_plan) ${oneBehind(1, 'x', 99).text}`)).toMatch(/schedule_active/);
});

it('finds the newest delivery of a transaction by its key, not through all of its chain', async () => {
  const plan = await planOf(`explain (generic_plan) ${newestStatuses(1, []).text}`);
  expect(plan).toMatch(/Index Scan Backward using webhook_delivery_chain on webhook_delivery/);
  expect(plan).toMatch(/Index Cond: .*chain = n.chain.*transaction_id = n.id/);
  expect(plan).not.toMatch(/Sort|Filter/);
});

it('reads a transaction by its key in a partition that was empty when the statistics were made', async () => {
  const fill = (partition: number) =>
    database.query(`
      insert into transaction (partition, id, type, state, account_uid, amount, charges, state_dates, position, version)
      select ${partition}, gen_random_uuid(), 'Transfer', 'Completed', gen_random_uuid(), 1, 0, '{}', n, 1
      from generate_series(1, 10000) as n`);
  await fill(1);
  await database.query('vacuum analyze transaction');
  await fill(2);
  await lane.query(`prepare by_key (int, uuid[]) as ${transactionProjection.load(2, ['x']).text}`);
  const plan = await planOf(`explain execute by_key (2, array[gen_random_uuid()])`);
  expect(plan).toMatch(/Index Scan using transaction_pkey on transaction.*\n.*Index Cond: .*id = ANY/);
});

/** Sizes of a table when a plan is made: at 500 and 1,000, a list of keys seems dearer than all of a partition. */
const SIZES = [0, 20, 100, 200, 500, 1_000, 4_000];

it.each(SIZES)('looks for payouts by the identifiers of the rail, among %d transactions', async (size) => {
  await database.query('truncate transaction');
  await database.query(`
    insert into transaction (partition, id, type, state, account_uid, amount, charges, state_dates, position, version,
      end_to_end_id, order_id)
    select 1 + n % 2, gen_random_uuid(), case when n % 3 = 0 then 'Transfer' else 'CashOut' end, 'Completed',
      gen_random_uuid(), 1, 0, '{"Registered": "2026-01-01"}', n, 1, case when n % 3 > 0 then 'E' || n end, 'x'
    from generate_series(1, ${size}) as n`);
  expect(await planOf(`explain (generic_plan) ${byEndToEndIds(1, []).text}`)).toMatch(
    /Index Scan using transaction_by_end_to_end_id .*\n.*Index Cond: .*end_to_end_id = .*type = /,
  );
});

it.each(SIZES)('finds what is unfinished of a chain by its key, among %d deliveries', async (size) => {
  await database.query('truncate webhook_delivery');
  await database.query(`
    insert into webhook_delivery (partition, id, position, chain, transaction_state, account_uid, partner_uid, lane, url,
      material, status, due_at)
    select 1 + n % 2, gen_random_uuid(), n, gen_random_uuid(), 'Completed', gen_random_uuid(), gen_random_uuid(),
      gen_random_uuid(), 'http://x', '{}', case when n % 3 = 0 then 'Delivered' else 'Pending' end,
      case when n % 3 = 1 then now() end
    from generate_series(1, ${size}) as n`);
  for (const [lookUps, { text }] of [
    [2, lockNewest(1, [])],
    [1, lockSendable(1, [])],
    [2, releaseNext(1, [], new Date())],
  ] as const) {
    const plan = await planOf(`explain (generic_plan) ${text}`);
    const found = plan.match(/webhook_delivery_unfinished on .*\n.*Index Cond: .*chain = n.chain.*due_at/g);
    expect(found).toHaveLength(lookUps);
    expect(plan).toMatch(/webhook_delivery_pkey.*\n.*Index Cond: .*id = ANY/);
    expect(plan).not.toMatch(/Bitmap|Hash|webhook_delivery_(due|chain|log|not_delivered)/);
  }
  const verified = await planOf(`explain (generic_plan) ${deliveryStates([]).wrong(1, new Date()).text}`);
  expect(verified).toMatch(/webhook_delivery_unfinished on webhook_delivery e.*\n.*Index Cond: .*chain = w.chain/);
  expect(verified).not.toMatch(/Join|Loop/);
});

it.each(SIZES)(
  'finds undelivered ones of a partner, and of a host, by their keys, among %d deliveries',
  async (size) => {
    await database.query('truncate webhook_delivery');
    await database.query(`
    insert into webhook_delivery (partition, id, position, chain, transaction_state, account_uid, partner_uid, lane, url,
      material, status, due_at)
    select 1 + n % 2, gen_random_uuid(), n, gen_random_uuid(), 'Completed', gen_random_uuid(), gen_random_uuid(),
      gen_random_uuid(), 'http://x', '{}', case n % 3 when 0 then 'Delivered' when 1 then 'Pending' else 'Exhausted' end,
      case when n % 3 = 1 then now() end
    from generate_series(1, ${size}) as n`);
    const planOfOpen = (host?: string) => {
      const search = { partners: [], host, status: undefined, before: undefined };
      return planOf(`explain (generic_plan) ${overOpen(1, search, { name: '', text: 'select id from open' }).text}`);
    };
    const partners = await planOf(`explain (generic_plan) ${openPartners(1).text}`);
    expect(partners.match(/webhook_delivery_failed on .*\n.*Index Cond: .*partner_uid > p/g)).toHaveLength(1);
    expect(partners.match(/webhook_delivery_due on .*\n.*Index Cond: .*partner_uid > p/g)).toHaveLength(1);
    const ofPartners = await planOfOpen();
    expect(ofPartners).toMatch(/webhook_delivery_failed on .*\n.*Index Cond: .*partner_uid = p.*status = s.*id < /);
    expect(ofPartners).toMatch(/webhook_delivery_due on .*\n.*Index Cond: .*partner_uid = p/);
    const atHost = await planOfOpen('x');
    expect(atHost).toMatch(/webhook_delivery_failed_at on .*\n.*Index Cond: .*lane = p.*status = s.*id < /);
    expect(atHost).toMatch(/webhook_delivery_due on .*\n.*Index Cond: .*partner_uid = p.*lane = p/);
    for (const plan of [ofPartners, atHost]) {
      expect(plan).toMatch(/webhook_delivery_unfinished on .*\n.*Index Cond: .*chain = .*due_at IS NULL/);
      expect(plan).not.toMatch(/Bitmap|Seq Scan on webhook|webhook_delivery_(pkey|chain|log|not_delivered)/);
    }
  },
);

it.each(SIZES)('looks for nodes of the tree by their key, among %d', async (size) => {
  await database.query('truncate tree_node');
  await database.query(`
    insert into tree_node (partition, level, index, hash)
    select 1 + n % 2, 8, n, ''::bytea from generate_series(1, ${size}) as n`);
  expect(await planOf(`explain (generic_plan) ${storedNodes(1, []).text}`)).toMatch(
    /Index Scan using tree_node_pkey .*\n.*Index Cond: .*level = .*index = /,
  );
});

it('has every session of the service plan once', async () => {
  const ours = new Database(database.url, () => undefined);
  const shown = { text: 'show plan_cache_mode' };
  const row = [{ plan_cache_mode: 'force_generic_plan' }];
  const connection = await ours.openLane();
  try {
    expect(await connection.query(shown)).toEqual(row);
    expect(await ours.lookUp(shown)).toEqual(row);
    expect(await ours.query(shown)).toEqual(row);
    expect(await ours.backgroundQuery(shown)).toEqual(row);
    expect(await ours.registryQuery(shown)).toEqual(row);
    expect(await ours.transaction(async (client) => (await client.query(shown)).rows)).toEqual(row);
  } finally {
    await connection.close();
    await ours.close();
  }
});

it('gives up a session that has forgotten what it prepared, once: the next transaction goes on', async () => {
  const ours = new Database(database.url, () => undefined);
  const read = () =>
    ours.transaction(async (client) => (await client.query({ name: 'one', text: 'select 1 as one' })).rows);
  try {
    expect(await read()).toEqual([{ one: 1 }]);
    await ours.transaction((client) => client.query('deallocate all'));
    await expect(read()).rejects.toMatchObject({ code: '26000' });
    expect(await read()).toEqual([{ one: 1 }]);
  } finally {
    await ours.close();
  }
});
