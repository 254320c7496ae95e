import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
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
/** More than is read by time. */
const MANY = 700;
const SLOTS = 32;

let owner: TestDatabase;
let database: Database;
let work: LeasedWork;
const answer = Promise.withResolvers<void>();
const begun: string[] = [];

beforeAll(async () => {
  owner = await createDatabase();
  await migrate({ url: owner.url, partitions: 1 });
  database = new Database(owner.url, () => undefined);
  const wakeUp = new WakeUp();
  const options = { masterKey: Buffer.alloc(32, 2), lane: DEFAULT_LANE, partitions: 2, runsBackground: true };
  const partitions = new Partitions(database, wakeUp, new Peers(), options);
  work = new LeasedWork(database, partitions, wakeUp, new Peers(), new AwaitedCommands(), options);
  const perform = async ({ payload }: { payload: unknown }) => {
    const whose = (payload as { partnerUid: string } | null)?.partnerUid ?? 'nobody';
    begun.push(whose);
    if (whose === 'many') await answer.promise;
    return 'done' as const;
  };
  work.register(new WorkTable(database).worker(KIND, SLOTS, perform, 'InParts'));
  work.onApplicationBootstrap();
}, 60_000);

afterAll(async () => {
  await work?.onApplicationShutdown();
  await database?.close();
  await owner?.drop();
});

const itemsOf = (partnerUid: string | null, items: number, dueInMs: number) =>
  Array.from({ length: items }, () => ({
    ...{ id: randomUUID(), kind: KIND, subject: randomUUID(), payload: partnerUid === null ? null : { partnerUid } },
    dueAt: new Date(Date.now() + dueInMs),
  }));
const add = (...items: Parameters<typeof itemsOf>) =>
  database.transaction((client) => addWork(client, 1, itemsOf(...items)));
const of = (whose: string) => begun.filter((one) => one === whose).length;

it("others' items do not wait behind the mass of an owner to which nobody answers", async () => {
  await add('later', 10, 3_600_000);
  await add('many', MANY, -60_000);
  await eventually(() => of('many') === SLOTS);
  await add('few', 3, -1_000);
  await eventually(() => of('few') === 3, { within: 3_000 });
  expect([of('many'), of('later')]).toEqual([SLOTS, 0]);
  answer.resolve();
  await add(null, 3, -1_000);
  await eventually(() => of('nobody') === 3 && of('many') === MANY, { within: 20_000 });
  expect(of('later')).toBe(0);
}, 60_000);

it('an owner with some items has its turns beside one with a mass of them, in every round', async () => {
  begun.length = 0;
  // The mass is older: it alone is read by time.
  await database.transaction((client) =>
    addWork(client, 1, [...itemsOf('mass', 3_000, -60_000), ...itemsOf('some', 60, -1_000)]),
  );
  await eventually(() => of('some') === 60, { within: 20_000 });
  // It may have to be found first: owners are looked for once a second.
  const first = begun.indexOf('some');
  expect(begun.lastIndexOf('some') - first).toBeLessThan(600);
  await eventually(() => of('mass') === 3_000, { within: 20_000 });
}, 60_000);
