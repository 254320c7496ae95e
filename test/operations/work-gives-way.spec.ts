import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addWork,
  AwaitedCommands,
  DEFAULT_LANE,
  LeasedWork,
  Partitions,
  WakeUp,
  WorkTable,
} from '../../src/event-store/index.js';
import { Database, migrate } from '../../src/platform/database/index.js';
import { Peers } from '../../src/platform/workers/index.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const KIND = 'test-work';
const MANY = 600;
/** What begins at once while requests keep the process busy, until the oldest is late; and the rest after that. */
const STEP = { items: 32, restMs: 250 };

interface Step {
  readonly items: number;
  readonly at: number;
}

let owner: TestDatabase;
let database: Database;
let work: LeasedWork;
let spinning: NodeJS.Timeout | undefined;

beforeAll(async () => {
  owner = await createDatabase();
  await migrate({ url: owner.url, partitions: 1 });
  database = new Database(owner.url, () => undefined);
}, 60_000);

afterEach(async () => {
  clearInterval(spinning);
  await work.onApplicationShutdown();
  await owner.query('delete from work');
});

afterAll(async () => {
  await database.close();
  await owner.drop();
});

/** Requests of a kind come, and the event loop is in use nearly all of the time. */
function busy(kind: keyof AwaitedCommands = 'single'): AwaitedCommands {
  const awaited = new AwaitedCommands();
  spinning = setInterval(() => {
    awaited[kind] += 100;
    for (const end = performance.now() + 20; performance.now() < end;);
  }, 21);
  return awaited;
}

/** @returns what begins at once, as it does */
function start(awaited: AwaitedCommands, begun: string[], slots = MANY): Step[] {
  const wakeUp = new WakeUp();
  const options = { masterKey: Buffer.alloc(32, 2), lane: DEFAULT_LANE, partitions: 2, runsBackground: true };
  work = new LeasedWork(
    database,
    new Partitions(database, wakeUp, new Peers(), options),
    wakeUp,
    new Peers(),
    awaited,
    options,
  );
  const perform = async ({ payload }: { payload: unknown }) => {
    begun.push((payload as { partnerUid: string } | null)?.partnerUid ?? 'none');
    return 'done' as const;
  };
  const { source, ...worker } = new WorkTable(database).worker(KIND, slots, perform, 'Shared');
  const steps: Step[] = [];
  const claim: typeof source.claim = (partition, ids, ...rest) => {
    steps.push({ items: ids.length, at: performance.now() });
    return source.claim(partition, ids, ...rest);
  };
  work.register({ ...worker, source: { ...source, claim } });
  work.onApplicationBootstrap();
  return steps;
}

/** The first three steps: nothing is late before the fourth. */
async function expectFew(steps: readonly Step[]): Promise<void> {
  const three = await eventually(() => steps.length >= 3 && steps.slice(0, 3));
  expect(three.map(({ items }) => items)).toEqual(Array(3).fill(STEP.items));
  const rests = three.slice(1).map(({ at }, i) => at - three[i]!.at);
  // The claim comes a moment after the pace was asked.
  expect(Math.min(...rests)).toBeGreaterThan(STEP.restMs * 0.9);
}

async function due(count: number, at: Date, payload: unknown): Promise<void> {
  const items = Array.from({ length: count }, () => ({
    id: randomUUID(),
    kind: KIND,
    subject: randomUUID(),
    payload,
    dueAt: at,
  }));
  await database.transaction((client) => addWork(client, 1, items));
}

describe('work that gives way', () => {
  it('begins a few items while requests keep the process busy, and all of them after that', async () => {
    const begun: string[] = [];
    await due(MANY, new Date(), { partnerUid: 'a' });
    const steps = start(busy(), begun);
    await expectFew(steps);
    clearInterval(spinning);
    await eventually(() => begun.length === MANY);
  });

  it('gives way the less, the later it is', async () => {
    const begun: string[] = [];
    await due(MANY, new Date(Date.now() - 15_000), { partnerUid: 'a' });
    const steps = start(busy(), begun);
    await eventually(() => begun.length === MANY);
    // At the pace of work that is not late they take nineteen steps.
    expect(steps.map(({ items }) => items)).toEqual([MANY]);
  });

  it('is not late so soon where all requests are of many', async () => {
    const begun: string[] = [];
    await due(MANY, new Date(Date.now() - 15_000), { partnerUid: 'a' });
    const steps = start(busy('many'), begun);
    await expectFew(steps);
  });

  it('goes in turns by partner; rows of older versions, which name none, count as one partner’s', async () => {
    const begun: string[] = [];
    await due(MANY, new Date(Date.now() - 3_000), { partnerUid: 'a' });
    await due(10, new Date(Date.now() - 2_000), null);
    await due(10, new Date(Date.now() - 1_000), { partnerUid: 'b' });
    start(new AwaitedCommands(), begun, 32);
    await eventually(() => begun.length === MANY + 20);
    const first = begun.slice(0, MANY / 2);
    expect(first.filter((one) => one === 'b')).toHaveLength(10);
    expect(first.filter((one) => one === 'none')).toHaveLength(10);
  });
});
