import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { StandingWork } from '../../src/event-store/index.js';
import { eventually } from '../support/eventually.js';
import { type InProcessOwning, startWithDatabase } from '../support/in-process.js';

let service: InProcessOwning;
beforeAll(async () => {
  service = await startWithDatabase({ ROLE: 'api' });
}, 60_000);
afterAll(() => service.close());

const kinds = async () => {
  const rows = await service.owner.query<{ kind: string }>('select kind from work order by kind');
  return rows.map(({ kind }) => kind);
};

describe('work that never ends', () => {
  const all = () => service.app.get(StandingWork).all();

  /** @returns what a process has done each minute, and how often that is */
  async function startOf(standing: StandingWork): Promise<{ minute: () => void; pause: number }[]> {
    const intervals = jest.spyOn(globalThis, 'setInterval');
    await standing.onApplicationBootstrap();
    const calls = intervals.mock.calls as unknown as [() => void, number][];
    intervals.mockRestore();
    standing.beforeApplicationShutdown();
    return calls.map(([minute, pause]) => ({ minute, pause }));
  }

  it('is made by no process that does no work', async () => {
    expect(all().map(({ kind }) => kind)).toEqual(expect.arrayContaining(['pix-sweep', 'pix-reconcile', 'med-sweep']));
    const standing = new StandingWork(service.database, { runsBackground: false });
    standing.register({ id: randomUUID(), kind: 'standing', missedIn: 'None' });
    expect(await startOf(standing)).toEqual([]);
    expect(await kinds()).toEqual([]);
  });

  it('is there again a minute after its rows were deleted, and only those that are gone are new', async () => {
    const standing = new StandingWork(service.database, { runsBackground: true });
    all().forEach((timer) => standing.register(timer));
    const [{ minute, pause }] = (await startOf(standing)) as [{ minute: () => void; pause: number }];
    const made = ['med-sweep', 'pix-reconcile', 'pix-sweep'];
    expect([pause, await kinds()]).toEqual([60_000, made]);
    await service.owner.query(`update work set payload = '{"day":"2026-11-20"}' where kind = 'pix-reconcile'`);
    await service.owner.query(`delete from work where kind <> 'pix-reconcile'`);
    minute();
    await eventually(async () => (await kinds()).length === made.length);
    expect(await kinds()).toEqual(made);
    expect(await service.owner.query(`select kind from work where payload->>'day' = '2026-11-20'`)).toEqual([
      { kind: 'pix-reconcile' },
    ]);
  });
});
