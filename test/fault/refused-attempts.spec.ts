import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addWork,
  type Attempt,
  DispatchQueue,
  HeldLease,
  newId,
  Refusals,
  type WorkItem,
  type WorkResult,
  WorkTable,
} from '../../src/event-store/index.js';
import { ModelRail } from '../support/model-rail.js';
import { type PixApplication, startPix } from '../support/pix-application.js';

let pix: PixApplication;

beforeAll(async () => {
  pix = await startPix(new ModelRail());
});
afterAll(() => pix?.close());

const KIND = 'refused-attempts';
/** It ends the attempt, and was the last of a series of an hour. */
const refused: WorkResult = { retryAt: new Date(0), refusals: new Refusals(3_600_000) };
const unknown: WorkResult = { retryAt: new Date(0) };

/** Each attempt is of a process of its own: it has a lease of its own, and remembers nothing of those before it. */
type Begin = (end: WorkResult | 'killed') => Promise<Attempt>;

async function leased(id: string): Promise<Begin> {
  return async (end) => {
    const { database } = pix;
    const lease = new HeldLease(newId(0));
    const begun: WorkItem[] = [];
    const perform = async (item: WorkItem): Promise<WorkResult> => {
      begun.push(item);
      return end === 'killed' ? unknown : end;
    };
    const worker = new WorkTable(database).worker(KIND, 1, perform);
    await pix.owner.query('update work set leased_until = null where id = $1', [id]);
    const later = new Date(Date.now() + 60_000);
    const [row] = await database.query(worker.source.claim(0, [id], lease.name, later));
    // The result of who was killed is not written: another process has the lease.
    const writtenUnder = end === 'killed' ? new HeldLease(newId(0)) : lease;
    await worker.perform(worker.source.parse(row!, writtenUnder));
    return begun[0]!;
  };
}

async function queued(id: string): Promise<Begin> {
  const queue = pix.app.get(DispatchQueue, { strict: false });
  return async (end) => {
    const [{ attempts: begun }] = (await pix.owner.query('select attempts from work where id = $1', [id])) as [Attempt];
    const item = { partition: 0, id, kind: KIND, subject: id, payload: null, owner: id, dueAt: new Date(0), begun };
    const attempt = (await queue.begin(item, new HeldLease(newId(0))))!;
    if (end !== 'killed') await queue.end(item, attempt.attempts, end);
    return attempt;
  };
}

describe.each([
  ['a lease', leased],
  ['a queue', queued],
])('attempts of several processes at work under %s', (_, source) => {
  const begin = async (): Promise<Begin> => {
    const id = newId(0);
    await pix.database.transaction(
      (client) => addWork(client, 0, [{ id, kind: KIND, subject: id, payload: null, dueAt: new Date(0) }]),
      0,
    );
    return source(id);
  };

  const minutesOf = ({ attempts, refusals }: Attempt) => [attempts, refusals && Math.floor(refusals.lastMs / 60_000)];

  it('hand on for how long all of them were refused', async () => {
    const attempt = await begin();
    expect(minutesOf(await attempt(refused))).toEqual([1, null]);
    expect(minutesOf(await attempt(refused))).toEqual([2, 60]);
    expect(minutesOf(await attempt(refused))).toEqual([3, 60]);
  });

  it.each(['-infinity', 'infinity'])('begin to count anew where the series began at %s', async (since) => {
    const attempt = await begin();
    await attempt(refused);
    await pix.owner.query('update work set refused_since = $1 where kind = $2', [since, KIND]);
    expect(minutesOf(await attempt(refused))).toEqual([2, null]);
  });

  it.each([
    ['whose outcome is not known, or that was accepted', unknown],
    ['of a process that was killed', 'killed' as const],
  ])('begin to count anew after one %s', async (_, end) => {
    const attempt = await begin();
    await attempt(refused);
    expect(minutesOf(await attempt(end))).toEqual([2, 60]);
    expect(minutesOf(await attempt(refused))).toEqual([3, null]);
    expect(minutesOf(await attempt(refused))).toEqual([4, 60]);
  });
});
