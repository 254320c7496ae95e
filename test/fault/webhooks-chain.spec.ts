import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import type { Config } from '../../src/platform/config/index.js';
import { Database, migrate } from '../../src/platform/database/index.js';
import { MetricsRegistry } from '../../src/platform/observability/metrics-registry.js';
import { DeliveryOutcomes } from '../../src/webhooks/deliveries/delivery-outcomes.js';
import { DeliverySeals, parseState, STATE_COLUMNS } from '../../src/webhooks/deliveries/delivery-seals.js';
import { addDeliveries, redeliver, releaseNext } from '../../src/webhooks/deliveries/delivery-table.js';
import type { DueDelivery } from '../../src/webhooks/deliveries/delivery-work.js';
import type { NewDelivery } from '../../src/webhooks/domain/delivery.js';
import { DeadReceivers } from '../../src/webhooks/sender/dead-receivers.js';
import { WebhookMetrics } from '../../src/webhooks/webhook-metrics.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

/**
 * A chain whose first delivery was asked for again while the second is tried: both are under way, and the third waits.
 * Two processes finish the two at the same moment.
 */
const PARTITION = 1;
const NOW = new Date('2026-11-20T12:00:00Z');
const LONG_AGO = new Date('2026-11-10T12:00:00Z');
const seals = new DeliverySeals({ secrets: { keyPepper: Buffer.alloc(32, 7) } } as Config);

let test: TestDatabase;
let database: Database;
let other: pg.Client;

beforeAll(async () => {
  test = await createDatabase();
  await migrate({ url: test.url, partitions: 2 });
  database = new Database(test.url, () => undefined);
  other = new pg.Client({ connectionString: test.url });
  await other.connect();
}, 60_000);

afterAll(async () => {
  await other?.end();
  await database?.close();
  await test?.drop();
});

let chain: string;
let ids: readonly string[];
const lease = randomUUID();
const origin = { partition: PARTITION, partnerUid: randomUUID(), originKey: randomUUID() };

beforeEach(async () => {
  chain = randomUUID();
  ids = [randomUUID(), randomUUID(), randomUUID()].sort();
  await test.query(
    `insert into webhook_delivery (partition, id, position, chain, transaction_state, account_uid, partner_uid, lane,
       url, material, status, due_at, lease)
     select $1, n.id, n.position, $2, 'Completed', $2, $3, $4, 'http://127.0.0.1', '{}', n.status, n.due_at, n.lease
     from unnest($5::uuid[], $6::bigint[], $7::text[], $8::timestamptz[], $9::uuid[])
       as n (id, position, status, due_at, lease)`,
    [
      ...[PARTITION, chain, origin.partnerUid, origin.originKey, ids, [1, 2, 3], ['Pending', 'Retrying', 'Pending']],
      ...[
        [NOW, LONG_AGO, null],
        [randomUUID(), lease, null],
      ],
    ],
  );
});

/** With a schedule of three days. */
function deadReceivers(): DeadReceivers {
  const metrics = new WebhookMetrics(new MetricsRegistry(), database, undefined!);
  return new DeadReceivers(database, metrics, seals, {
    webhooks: { retrySchedule: [3 * 86_400_000] },
  } as unknown as Config);
}

/** How this process finishes the second one. */
const ENDINGS: Record<string, () => Promise<unknown>> = {
  'by its outcome': () =>
    new DeliveryOutcomes(database, seals).write(PARTITION, lease, {
      ...{ id: ids[1]!, chain, status: 'Delivered', dueAt: null, tries: 1, attempt: null },
      ...{ redeliveryPosition: 0n, nextDueAt: NOW },
    }),
  'because it was overdue': () => deadReceivers().exhaustOverdue(origin, NOW),
};

describe('of two deliveries of a chain that finish at the same moment', () => {
  it.each(Object.keys(ENDINGS))('one releases what waited for both, when this one ends %s', async (how) => {
    // The other process has done everything but its commit, and saw this one's delivery unfinished.
    await other.query('begin');
    await other.query(`update webhook_delivery set status = 'Delivered', due_at = null where id = $1`, [ids[0]]);
    await other.query({ ...releaseNext(PARTITION, [chain], NOW) });

    let over = false;
    const ended = ENDINGS[how]!().finally(() => (over = true));
    await eventually(async () => over || (await waitsForLock()));
    await other.query('commit');
    await ended;

    const rows = await test.query(
      `select ${STATE_COLUMNS}, due_at, due_since from webhook_delivery
       where partition = $1 and chain = $2 order by position`,
      [PARTITION, chain],
    );
    expect(rows).toMatchObject([
      { status: 'Delivered', due_at: null },
      { status: how === 'by its outcome' ? 'Delivered' : 'Exhausted', due_at: null },
      { status: 'Pending', due_at: NOW, due_since: NOW },
    ]);
    expect(seals.fits(parseState(rows[1]!))).toBe(true);
  });
});

describe('an overdue delivery', () => {
  it.each([
    ['ends when its lease is over', -1_000, 'Exhausted'],
    ['is left to whoever has leased it', '30 seconds', 'Retrying'],
    ['ends when its lease was written by a clock that has been set back', '1 hour', 'Exhausted'],
  ])('%s', async (_what, leasedFor, status) => {
    const leasedUntil = 'update webhook_delivery set leased_until = now() + $1::interval where id = $2';
    await test.query(leasedUntil, [leasedFor, ids[1]]);
    await ENDINGS['because it was overdue']!();
    expect(await test.query('select status from webhook_delivery where id = $1', [ids[1]])).toEqual([{ status }]);
  });
});

describe('a redelivery that is asked for during an attempt', () => {
  const later = new Date(NOW.getTime() + 30_000);
  it.each([
    ['is answered by it where it delivers', 'Delivered', null],
    ['follows at once where it fails', 'Retrying', later],
    ['follows at once where it was the last', 'Exhausted', null],
    ['follows at once where the receiver is gone', 'Stopped', null],
  ] as const)('%s', async (_what, status, dueAt) => {
    const row = async () =>
      (await test.query('select status, due_at, due_since, tries from webhook_delivery where id = $1', [ids[1]]))[0]!;
    const asked = { id: ids[1]!, position: 9n };
    await database.transaction((client) => redeliver(client, PARTITION, [asked], NOW), PARTITION);
    const due = await row();
    expect(due.due_at.getTime()).toBeLessThanOrEqual(NOW.getTime());
    await new DeliveryOutcomes(database, seals).write(PARTITION, lease, {
      ...{ id: ids[1]!, chain, status, dueAt, tries: 5, attempt: null },
      ...{ redeliveryPosition: 0n, nextDueAt: NOW },
    });
    expect(await row()).toMatchObject(
      status === 'Delivered' ? { status, due_at: null } : { ...due, status: 'Retrying', tries: 0 },
    );
  });
});

it('an outcome changes nothing once another process has taken the delivery over', async () => {
  const row = async () => (await test.query('select * from webhook_delivery where id = $1', [ids[1]]))[0]!;
  const taken = await row();
  for (const status of ['Delivered', 'Retrying'] as const) {
    await new DeliveryOutcomes(database, seals).write(PARTITION, randomUUID(), {
      ...{ id: ids[1]!, chain, status, dueAt: null, tries: 5, attempt: null },
      ...{ redeliveryPosition: 0n, nextDueAt: NOW },
    });
    expect(await row()).toEqual(taken);
  }
});

it('a delivery that is added while the one before it finishes waits for it, and is released', async () => {
  await test.query(`update webhook_delivery set status = 'Delivered', due_at = null where id = any($1)`, [
    [ids[0], ids[2]],
  ]);
  await other.query('begin');
  await addDeliveries(other as never, PARTITION, [added(chain, 4n)], NOW);
  let over = false;
  const ended = ENDINGS['by its outcome']!().finally(() => (over = true));
  await eventually(async () => over || (await waitsForLock()));
  await other.query('commit');
  await ended;
  expect(await test.query('select due_at from webhook_delivery where chain = $1 and position = 4', [chain])).toEqual([
    { due_at: NOW },
  ]);
});

it('redeliveries are locked in id order, like outcomes: none waits for a row while it holds a later one', async () => {
  const again = [ids[1]!, ids[0]!].map((id) => ({ id, position: 9n }));
  await other.query('begin');
  await other.query('select from webhook_delivery where id = $1 for update', [ids[0]]);
  let over = false;
  const ended = database
    .transaction((client) => redeliver(client, PARTITION, again, NOW), PARTITION)
    .finally(() => (over = true));
  await eventually(async () => over || (await waitsForLock()));
  await other.query('select from webhook_delivery where id = $1 for update nowait', [ids[1]]);
  await other.query('commit');
  expect(await ended).toHaveLength(2);
});

it('an outcome that cannot be written does not keep back those that were to be written with it', async () => {
  const free = randomUUID();
  await test.query(
    `insert into webhook_delivery (partition, id, position, chain, transaction_state, account_uid, partner_uid, lane,
       url, material, status, due_at, lease)
     select partition, $2, position, $2, transaction_state, account_uid, partner_uid, lane, url, material, status,
       due_at, lease from webhook_delivery where id = $1`,
    [ids[1], free],
  );
  await other.query('begin');
  await other.query('select from webhook_delivery where id = $1 for update', [ids[0]]);
  const outcomes = new DeliveryOutcomes(database, seals);
  const delivered = { status: 'Delivered', dueAt: null, tries: 1, attempt: null, redeliveryPosition: 0n } as const;
  const held = outcomes.write(PARTITION, lease, { ...delivered, id: ids[1]!, chain, nextDueAt: NOW });
  const written = outcomes.write(PARTITION, lease, { ...delivered, id: free, chain: free, nextDueAt: NOW });
  try {
    await expect(held).rejects.toThrow('lock timeout');
    await written;
  } finally {
    await other.query('commit');
  }
  const rows = await test.query('select status from webhook_delivery where id = any($1) order by id = $2', [
    [ids[1], free],
    free,
  ]);
  expect(rows).toEqual([{ status: 'Retrying' }, { status: 'Delivered' }]);
}, 30_000);

describe('chains that grow while two processes send them, and are asked for again', () => {
  const chains = Array.from({ length: 3 }, () => randomUUID());
  const ofChains = (what: string) => `select ${what} from webhook_delivery where chain = any($1)`;
  const below = (n: number) => Math.floor(Math.random() * n);
  let grown = false;

  async function grow(): Promise<void> {
    for (let position = 1n; position <= 150n;) {
      const batch = Array.from({ length: 1 + below(3) }, () => added(chains[below(3)]!, position++));
      const finals = await test.query<{ id: string }>(`${ofChains('id')} and status = 'Delivered'`, [chains]);
      const again = finals.filter(() => below(finals.length) < 2).map(({ id }) => ({ id, position: position++ }));
      await other.query('begin');
      await addDeliveries(other as never, PARTITION, batch, NOW);
      await redeliver(other as never, PARTITION, again, NOW);
      await other.query('commit');
    }
    grown = true;
  }

  /** @returns deliveries that were claimed before their turn */
  async function send(): Promise<number> {
    const outcomes = new DeliveryOutcomes(database, seals);
    const mine = randomUUID();
    let early = 0;
    for (let idle = 0; idle < 100;) {
      const rows = await test.query<{ id: string; chain: string; redelivery_position: string; early: boolean }>(
        `update webhook_delivery d set lease = $2
         where id = any(array(${ofChains('id')} and due_at is not null and lease is null order by random() limit 3
           for update skip locked))
         returning id, chain, redelivery_position, redelivery_position = 0 and exists (
           select from webhook_delivery p where p.chain = d.chain and p.position < d.position
             and p.status in ('Pending', 'Retrying') and p.redelivery_position = 0) as early`,
        [chains, mine],
      );
      early += rows.filter((row) => row.early).length;
      idle = grown && rows.length === 0 ? idle + 1 : 0;
      const written = rows.map(({ id, chain, redelivery_position: claimed }) => {
        const status = below(4) > 0 ? 'Delivered' : 'Retrying';
        const dueAt = status === 'Delivered' ? null : NOW;
        const outcome = { id, chain, status, dueAt, tries: 1, attempt: null, nextDueAt: NOW } as const;
        return outcomes.write(PARTITION, mine, { ...outcome, redeliveryPosition: BigInt(claimed) });
      });
      await Promise.all(written);
    }
    return early;
  }

  it('sends each in its turn, and leaves none behind', async () => {
    const [, ...early] = await Promise.all([grow(), send(), send()]);
    expect(early).toEqual([0, 0]);
    expect(await test.query(`${ofChains('count(*)::int as all')}`, [chains])).not.toEqual([{ all: 0 }]);
    expect(await test.query(`${ofChains('*')} and status <> 'Delivered'`, [chains])).toEqual([]);
    const states = (await test.query(ofChains(STATE_COLUMNS), [chains])).map(parseState);
    expect(states.filter((state) => !seals.fits(state))).toEqual([]);
  }, 60_000);
});

function added(chain: string, position: bigint): NewDelivery {
  return {
    ...{ id: randomUUID(), position, chain, transactionId: null, transactionState: null, type: 'x' },
    ...{ accountUid: chain, partnerUid: chain, url: 'http://127.0.0.1', header: null },
    material: { notification: { type: 'x', timestamp: '', data: {} } },
  };
}

it('all that is due to a dead address is postponed at once, but what is leased, overdue, or for another address', async () => {
  const later = new Date(NOW.getTime() + 30_000);
  const day = new Date(NOW.getTime() - 86_400_000);
  const lane = randomUUID();
  const all = {
    due: { url: 'http://x/dead?a=1', since: null, leased: null },
    'due for a day': { url: 'http://x/dead', since: day, leased: null },
    overdue: { url: 'http://x/dead', since: LONG_AGO, leased: null },
    leased: { url: 'http://x/dead', since: null, leased: '30 seconds' },
    other: { url: 'http://x/dead/or-not', since: null, leased: null },
  };
  for (const [name, { url, since, leased }] of Object.entries(all)) {
    await test.query(
      `insert into webhook_delivery (partition, id, position, chain, transaction_state, account_uid, partner_uid, lane,
         url, material, status, due_at, due_since, leased_until)
       select partition, gen_random_uuid(), position, gen_random_uuid(), $2, account_uid, partner_uid, $3, $4, material,
         'Pending', $5, $6, now() + $7::interval from webhook_delivery where id = $1`,
      [ids[0], name, lane, url, NOW, since, leased],
    );
  }
  const delivery = { ...origin, originKey: lane, url: 'http://x/dead?b=2' } as DueDelivery;
  await deadReceivers().postpone(delivery, later.getTime() - NOW.getTime(), NOW);
  const rows = await test.query<{ name: string; due_at: Date; due_since: Date | null }>(
    'select transaction_state as name, due_at, due_since from webhook_delivery where lane = $1 and due_at > $2',
    [lane, NOW],
  );
  expect(Object.fromEntries(rows.map(({ name, ...moments }) => [name, moments]))).toEqual({
    due: { due_at: later, due_since: NOW },
    'due for a day': { due_at: later, due_since: day },
  });
});

async function waitsForLock(): Promise<boolean> {
  const rows = await test.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}
