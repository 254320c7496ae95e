import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Room, Statement } from '../../src/event-store/index.js';
import { PLAN_ONCE, serviceConnection } from '../../src/platform/database/connection-settings.js';
import { addDeliveries, lockNewest, lockSendable, releaseNext } from '../../src/webhooks/deliveries/delivery-table.js';
import { deliverySource } from '../../src/webhooks/deliveries/delivery-work.js';
import type { NewDelivery } from '../../src/webhooks/domain/delivery.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startService } from '../support/service.js';

/**
 * What is listed as work where one partner has very much of it, and what listing and claiming it read. No statistics.
 */
const MANY = 100_000;
const LANES = 20;
const hostile = randomUUID();
const others = Array.from({ length: 5 }, () => randomUUID());
const source = deliverySource(() => ({ origins: new Map(), otherOrigins: 4 }));
const room = (limit: number, owners: Room['owners'] = new Map()): Room => ({ owners, others: 128, limit });
const now = new Date();

let database: TestDatabase;
let worker: pg.Client;

beforeAll(async () => {
  database = await createDatabase();
  await (await startService(database.url, { ROLE: 'api' })).stop();
  await database.query('alter table webhook_delivery set (autovacuum_enabled = false)');
  const limits = { statementTimeout: 20_000, lockTimeout: 5_000, idleInTransaction: 20_000 };
  worker = new pg.Client(serviceConnection(database.url, 'background', limits));
  await worker.connect();
  await worker.query(PLAN_ONCE);
  // As in a new database: the plans are made while there is nothing.
  await due(room(8));
  await run(source.claim(1, [], randomUUID(), now));
  await finish([]);
  await run(lockNewest(1, []));
  await fill(hostile, MANY, LANES, '1 hour');
  for (const partner of others) await fill(partner, 1, 1, '1 second');
}, 60_000);

afterAll(async () => {
  await worker?.end();
  await database?.drop();
});

async function fill(partner: string, count: number, lanes: number, age: string): Promise<void> {
  await database.query(
    `
    insert into webhook_delivery (partition, id, position, chain, transaction_state, account_uid, partner_uid, lane, url,
      material, status, due_at)
    select 1, gen_random_uuid(), n, gen_random_uuid(), 'Completed', $1, $1, l.lanes[1 + n % $3], 'http://x', '{}', 'Pending',
      $5::timestamptz - $4::interval - n * interval '1 microsecond'
    from generate_series(1, $2) as n, (select array_agg(gen_random_uuid()) as lanes from generate_series(1, $3)) as l`,
    [partner, count, lanes, age, now],
  );
}

const run = async ({ name, text, values }: Statement) => (await worker.query({ name, text, values: [...values] })).rows;
const due = (room: Room) => run(source.due(now, room, 1)) as Promise<{ id: string; owner: string; target: string }[]>;

/** What the outcomes of deliveries do to their chains. */
async function finish(chains: readonly string[]): Promise<void> {
  await run(lockSendable(1, chains));
  await run(releaseNext(1, chains, now));
}

/** Adds one delivery to a chain, as the saga does. */
async function add(chain: string): Promise<void> {
  const [id, accountUid, partnerUid] = [randomUUID(), randomUUID(), randomUUID()];
  const delivery: NewDelivery = {
    ...{ id, position: 1_000_000n, chain, transactionId: null, transactionState: null, type: 'x', accountUid },
    ...{
      partnerUid,
      url: 'http://x',
      header: null,
      material: { notification: { type: 'x', timestamp: '', data: {} } },
    },
  };
  await addDeliveries(worker as never, 1, [delivery], now);
}

/** Pages of tables and indexes that a statement reads, by statistics of the database's own. */
async function pagesOf(work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    // Both: what a test has filled counts before the work, and not while it is done.
    await worker.query('select pg_stat_force_next_flush()');
    await database.query('select pg_stat_force_next_flush()');
    const [row] = await database.query<{ pages: string }>(`
      select sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit) as pages
      from pg_statio_user_tables where relname = 'webhook_delivery'`);
    return Number(row!.pages);
  };
  await worker.query('select 1');
  const before = await read();
  await work();
  return (await read()) - before;
}

describe('candidates', () => {
  it('are of every partner, however few are asked for and however old the backlog of one is', async () => {
    const listed = await due(room(6));
    expect(new Set(listed.map(({ owner }) => owner))).toEqual(new Set([hostile, ...others]));
  });

  it('are of every origin of a partner before a second one of any', async () => {
    const listed = (await due(room(512))).filter(({ owner }) => owner === hostile);
    expect(new Set(listed.slice(0, LANES).map(({ target }) => target)).size).toBe(LANES);
    expect(listed).toHaveLength(4 * LANES);
  });

  it('are as many as a partner has room for, and none of one that has none', async () => {
    const counts = async (free: number) => {
      const listed = await due(room(512, new Map([[hostile, free]])));
      return [listed.filter(({ owner }) => owner === hostile).length, listed.length];
    };
    expect(await counts(3)).toEqual([3, 8]);
    expect(await counts(0)).toEqual([0, 5]);
  });

  it('are found, claimed and kept by reading no more than their own pages', async () => {
    let ids: string[] = [];
    const lease = randomUUID();
    const pages = [
      await pagesOf(async () => (ids = (await due(room(512))).map(({ id }) => id))),
      await pagesOf(() => run(source.claim(1, ids, lease, now))),
      await pagesOf(() => run(source.renew(1, ids, lease))),
      await pagesOf(() => run(source.release(1, ids, lease))),
    ];
    expect(ids).toHaveLength(4 * LANES + others.length);
    // Some pages of the indexes and the table for each; reading the backlog through takes thousands.
    for (const read of pages) expect(read).toBeLessThan(30 * ids.length);
  });
});

describe('a chain with thousands that are delivered, and thousands that wait', () => {
  const [delivered, waiting] = [3_000, 17_000];
  const chain = randomUUID();
  const rows = () =>
    database.query<{ position: string; due_at: Date | null }>(
      `select position, due_at from webhook_delivery where chain = $1 and status in ('Pending', 'Retrying')
       order by position`,
      [chain],
    );

  beforeAll(async () => {
    await database.query(
      `insert into webhook_delivery (partition, id, position, chain, transaction_id, transaction_state, account_uid,
         partner_uid, lane, url, material, status, due_at)
       select 1, gen_random_uuid(), n, $1, gen_random_uuid(), 'Completed', $1, $1, $1, 'http://x', '{}',
         case when n <= $2 then 'Delivered' else 'Pending' end, case when n = $2 + 1 then $4::timestamptz end
       from generate_series(1, $2::int + 1 + $3) as n`,
      [chain, delivered, waiting, now],
    );
  }, 60_000);

  it('goes on with the next one, and grows by one, by reading no more than their own pages', async () => {
    await database.query(
      `update webhook_delivery set status = 'Delivered', due_at = null where chain = $1 and due_at = $2`,
      [chain, now],
    );
    const pages = [await pagesOf(() => finish([chain])), await pagesOf(() => add(chain))];
    for (const read of pages) expect(read).toBeLessThan(100);
    const open = await rows();
    expect(open).toHaveLength(waiting + 1);
    expect(open.filter(({ due_at }) => due_at !== null)).toEqual([{ position: String(delivered + 2), due_at: now }]);
  });
});
