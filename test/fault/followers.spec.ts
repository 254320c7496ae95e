import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  type AsyncProjection,
  EventLog,
  type Follower,
  partitionOf,
  type RecordedEvent,
  Subscriptions,
  WakeUp,
} from '../../src/event-store/index.js';
import { Partitions } from '../../src/event-store/log/partitions.js';
import { RecentEvents } from '../../src/event-store/log/recent-events.js';
import '../../src/app.module.js';
import { Database } from '../../src/platform/database/index.js';
import { Peers } from '../../src/platform/workers/index.js';
import { OperatorApi, PartnerApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startService } from '../support/service.js';

/** Read models at the same position share batches; the log was written by others before they begin. */
let database: TestDatabase;
let logged: number;
/** The partition of the transfers. */
let home: number;
/** More than a read model's first batch. */
const TRANSFERS = 130;

beforeAll(async () => {
  Logger.overrideLogger(false);
  database = await createDatabase();
  const service = await startService(database.url, { ROLE: 'api' });
  const { accounts, credentials } = await new OperatorApi(service.url).partner(['1000.00', '0.00']);
  home = partitionOf(accounts[0]!)!;
  const partner = await PartnerApi.login(service.url, credentials);
  const made = await Promise.all(Array.from({ length: TRANSFERS }, () => partner.transfer(accounts[1]!, '1.00')));
  await service.stop();
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
  logged = (await database.query('select from event')).length;
});

afterAll(() => database?.drop());

interface Seen {
  readonly follower: Follower;
  /** What it committed, in order. */
  readonly events: string[];
}

/** Around each batch of a follower. */
type Around = (go: () => Promise<void>, events: readonly RecordedEvent[]) => Promise<void>;

/** Keeps what it was given once its transaction has gone through. */
function saga(name: string, around: Around = (go) => go()): Seen {
  const events: string[] = [];
  const handle: Follower['handle'] = (client, partition, given) =>
    around(async () => {
      const { rows } = await client.query<{ position: string }>(
        'select position from subscription where partition = $1 and consumer = $2',
        [partition, name],
      );
      expect(given[0]!.position).toBe(BigInt(rows[0]!.position) + 1n);
      events.push(...given.map(({ position }) => `${partition}/${position}`));
    }, given);
  return { follower: { name, handle }, events };
}

function projection(name: string, around?: Around): Seen {
  const { follower, events } = saga(name, around);
  return { follower: { ...follower, tables: [] } as unknown as AsyncProjection, events };
}

async function lag(name: string): Promise<number> {
  const [row] = await database.query<{ lag: string }>(
    `select sum(h.position - coalesce(s.position, 0)) as lag
     from log_head h left join subscription s on s.partition = h.partition and s.consumer = $1`,
    [name],
  );
  return Number(row!.lag);
}

async function following(
  seen: readonly Seen[],
  work: (wakeUp: WakeUp) => Promise<void>,
  recent = new RecentEvents(),
): Promise<void> {
  const own = new Database(database.url, () => undefined);
  const wakeUp = new WakeUp();
  const partitions = new Partitions(own, wakeUp, new Peers(), { partitions: 2, runsBackground: true });
  const subscriptions = new Subscriptions(own, partitions, wakeUp, recent, { runsBackground: true });
  for (const { follower } of seen) subscriptions.register(follower);
  subscriptions.onApplicationBootstrap();
  try {
    await work(wakeUp);
  } finally {
    await subscriptions.onApplicationShutdown();
    await own.close();
  }
}

it.each([
  ['a read model', projection],
  ['a saga', saga],
] as const)('%s that fails delays no other, and goes on from its position when it is fixed', async (kind, made) => {
  let broken = true;
  const [lameName, soundName] = [`lame ${kind}`, `sound ${kind}`];
  const lame = made(lameName, (go) => (broken ? Promise.reject(new Error('it refuses')) : go()));
  const sound = made(soundName);
  await following([lame, sound], async () => {
    await eventually(async () => (await lag(soundName)) === 0);
    expect(await lag(lameName)).toBe(logged);
    broken = false;
    await eventually(async () => (await lag(lameName)) === 0);
  });
  expect(lame.events).toHaveLength(logged);
  expect(new Set(sound.events)).toEqual(new Set(lame.events));
});

it('sagas at one position share a transaction', async () => {
  const transactions = { here: new Set<string>(), there: new Set<string>() };
  const made = (['here', 'there'] as const).map((name): Follower => ({
    name,
    handle: async (client) => {
      const { rows } = await client.query<{ id: string }>('select pg_current_xact_id()::text as id');
      transactions[name].add(rows[0]!.id);
    },
  }));
  await following(
    made.map((follower) => ({ follower, events: [] })),
    async () => void (await eventually(async () => (await lag('here')) + (await lag('there')) === 0)),
  );
  expect(transactions.here.size).toBeGreaterThan(0);
  expect(transactions.here).toEqual(transactions.there);
});

it('an event that is urgent for one of them runs that one alone: the others wait for the next poll', async () => {
  let batches = 0;
  const hasty = saga('hasty');
  const patient = saga('patient', (go) => {
    batches += 1;
    return go();
  });
  const seen = [hasty, patient].map(({ follower, events }) => ({
    follower: { ...follower, urgent: new Set([follower.name]) },
    events,
  }));
  await following(seen, async (wakeUp) => {
    for (const { follower } of seen) await eventually(async () => (await lag(follower.name)) === 0);
    const began = performance.now();
    batches = 0;
    for (let n = 0; n < 20; n += 1) {
      const its = hasty.events.length;
      await database.query('update subscription set position = position - 1 where partition = $1', [home]);
      wakeUp.signalAppended(home, new Set(['hasty']));
      await eventually(() => hasty.events.length > its);
    }
    const polls = Math.ceil((performance.now() - began) / 250);
    expect(batches).toBeLessThanOrEqual(polls + 1);
    await eventually(async () => (await lag('patient')) === 0);
  });
});

it('run one after the other, in all partitions: never do two of them run a batch at once', async () => {
  let [atWork, most] = [0, 0];
  const slow = ['one', 'another'].map((name) =>
    projection(name, async (go) => {
      most = Math.max(most, (atWork += 1));
      await new Promise((resume) => setTimeout(resume, 20));
      await go();
      atWork -= 1;
    }),
  );
  await following(slow, async () => {
    await eventually(async () => (await lag('one')) + (await lag('another')) === 0);
  });
  expect(most).toBe(1);
  for (const { events } of slow) expect(new Set(events).size).toBe(logged);
});

it('take a small batch first; a saga, for which payments wait, takes all events', async () => {
  const [small, whole]: [number[], number[]] = [[], []];
  const noting =
    (steps: number[]): Around =>
    (go, events) => {
      if (events[0]!.partition === home) steps.push(events.length);
      return go();
    };
  await following([projection('small', noting(small)), saga('whole', noting(whole))], async () => {
    await eventually(async () => (await lag('small')) + (await lag('whole')) === 0);
  });
  const [all] = whole;
  expect(all).toBeGreaterThanOrEqual(TRANSFERS);
  expect(whole).toEqual([all]);
  expect(small).toEqual([100, all! - 100]);
});

it('two processes that share them give each event to each of them once', async () => {
  const [first, second] = [projection('shared'), projection('shared')];
  const [beside, besideToo] = [projection('other'), projection('other')];
  await following([first, beside], () =>
    following([besideToo, second], async () => {
      await eventually(async () => (await lag('shared')) + (await lag('other')) === 0);
    }),
  );
  for (const [one, two] of [
    [first, second],
    [beside, besideToo],
  ] as const) {
    const events = [...one.events, ...two.events];
    expect(new Set(events).size).toBe(events.length);
    expect(events).toHaveLength(logged);
  }
});

it('a last statement that fails rolls the whole transaction back, and the connection is used again', async () => {
  const own = new Database(database.url, () => undefined);
  const write = (last: string) =>
    own.transaction(async (client, atLast) => {
      await client.query(`insert into subscription (partition, consumer, position) values ($1, 'written', 0)`, [home]);
      atLast({ text: last });
    }, home);
  const written = () => database.query(`select from subscription where consumer = 'written'`);
  try {
    await expect(write('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    expect(await written()).toEqual([]);
    await write('select 1');
    expect(await written()).toHaveLength(1);
  } finally {
    await own.close();
  }
});

describe('what this process has appended', () => {
  /** Remembers the whole log, changed. */
  async function remembered(change: (event: RecordedEvent) => RecordedEvent): Promise<RecentEvents> {
    const recent = new RecentEvents();
    const own = new Database(database.url, () => undefined);
    const log = new EventLog(own);
    for (const partition of (await log.heads()).keys()) {
      const events = await log.readAfter(partition, 0n, logged);
      if (events.length > 0) recent.append(partition, events.map(change));
    }
    await own.close();
    return recent;
  }

  /** Gives a follower what is remembered, and tells by whom its events were written. */
  async function writersOf(name: string, change: (event: RecordedEvent) => RecordedEvent): Promise<Set<string>> {
    const recent = await remembered(change);
    const writers = new Set<string>();
    const given = projection(name, (go, events) => {
      for (const { metadata } of events) writers.add(metadata.actor);
      return go();
    });
    const work = async () => void (await eventually(async () => (await lag(name)) === 0));
    await following([given], work, recent);
    expect(given.events).toHaveLength(logged);
    return writers;
  }

  const metadata = { actor: 'memory' };
  /** An event that the log does not have. */
  const otherwise = (event: RecordedEvent) => ({
    ...event,
    metadata,
    id: event.id.replace(/^./, 'f'),
  });

  it('followers are given from memory', async () => {
    expect(await writersOf('from-memory', (event) => ({ ...event, metadata }))).toEqual(new Set(['memory']));
  });

  it('is not believed where the log has another event at its end', async () => {
    expect(await writersOf('from-the-log', otherwise)).not.toContain('memory');
  });

  it.each([
    ['without a transaction', (event: RecordedEvent) => event, 0],
    ['as from the log where that has another event at its end', otherwise, 1],
  ])('is passed by followers for which none of it is: %s', async (name, change, least) => {
    const opened = jest.spyOn(Database.prototype, 'transaction');
    try {
      const idle = saga(name);
      const seen = [{ ...idle, follower: { ...idle.follower, handles: new Set(['Nothing']) } }];
      await following(
        seen,
        async () => void (await eventually(async () => (await lag(name)) === 0)),
        await remembered(change),
      );
      expect(idle.events).toEqual([]);
      expect(Math.min(1, opened.mock.calls.length)).toBe(least);
    } finally {
      opened.mockRestore();
    }
  });
});
