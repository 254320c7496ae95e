import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { WorkItem } from '../../event-store/index.js';
import type { ReportedInfraction } from '../../pix/index.js';
import { MedTimers } from './med-timers.js';

const START = Date.parse('2026-11-20T12:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let reports: ReportedInfraction[];
let asked: { from: Date; railIds: string[] };
let recorded: Set<string>;
let unread: Error[];
let mark: unknown;
let timers: MedTimers;

const reportOf = (railId: string, at: number) =>
  ({ railId, endToEndId: railId, state: 'Open', reportedAt: new Date(at) }) as ReportedInfraction;

const receiver = {
  receive({ railId, endToEndId }: ReportedInfraction) {
    asked.railIds.push(railId);
    return Promise.resolve(recorded.has(endToEndId));
  },
};
const rail = {
  name: 'efi',
  psp: 'one',
  capabilities: { receives: true },
  infractionsBetween(from: Date, to: Date) {
    asked.from = from;
    const items = reports.filter(({ reportedAt }) => reportedAt >= from && reportedAt < to);
    return Promise.resolve({ items, nextCursor: null, unread });
  },
};
const database = { backgroundQuery: () => Promise.resolve([{ now: new Date() }]) };
const partitions = { all: () => [], ask: () => Promise.resolve() };
const standing = { register: () => undefined };
const metrics = { overdue: () => undefined };
const config = { secrets: { keyPepper: Buffer.alloc(32, 1) } };

/** @returns what was asked for, and the mark */
async function sweep(at: number): Promise<{ railIds: string[]; until: number }> {
  jest.setSystemTime(at);
  asked = { from: new Date(0), railIds: [] };
  const result = (await timers.sweep({ payload: mark } as WorkItem)) as { payload: { until: string } };
  mark = result.payload;
  return { railIds: asked.railIds, until: Date.parse(result.payload.until) };
}

/** The mark without the number of sweeps. */
function marked(): { until: string; seal: string } {
  const { until, seal } = mark as { until: string; seal: string };
  return { until, seal };
}

beforeEach(async () => {
  jest.useFakeTimers();
  [reports, recorded, mark, unread] = [[], new Set(), null, []];
  timers = new MedTimers(
    ...([database, partitions, {}, receiver, rail, standing, metrics, config] as never as ConstructorParameters<
      typeof MedTimers
    >),
  );
  await sweep(START);
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the sweep of reports', () => {
  it('keeps its mark at a report whose deposit is not recorded, and asks for it until it is', async () => {
    reports = [reportOf('known', START), reportOf('early', START + MINUTE)];
    recorded.add('known');
    expect(await sweep(START + HOUR)).toEqual({ railIds: ['known', 'early'], until: START + MINUTE });
    expect(await sweep(START + 5 * HOUR)).toEqual({ railIds: ['early'], until: START + MINUTE });
    recorded.add('early');
    expect(await sweep(START + 6 * HOUR)).toEqual({ railIds: ['early'], until: START + 6 * HOUR });
  });

  it('keeps its mark where the rail lists a report that cannot be read, and records the others', async () => {
    reports = [reportOf('whole', START)];
    recorded.add('whole');
    unread = [new Error('not whole')];
    jest.setSystemTime(START + HOUR);
    asked = { from: new Date(0), railIds: [] };
    expect(await timers.sweep({ payload: mark } as WorkItem)).toMatchObject({ payload: { ...marked(), sweeps: 2 } });
    expect(asked.railIds).toEqual(['whole']);
  });

  it('begins as the first one does where the mark is none that a sweep left', async () => {
    const marks = [{ until: 'x' }, { until: '-271821-04-20' }, { until: '9999-12-31' }, { until: null }, 'x', 7, null];
    for (const one of marks) {
      mark = one;
      expect(await sweep(START + HOUR)).toMatchObject({ until: START + HOUR });
      expect(asked.from).toEqual(new Date(START + HOUR - 90 * 24 * HOUR));
    }
  });

  it('begins as the first one does where the mark was set ahead to hide reports, and goes on from an earlier one', async () => {
    const { seal } = mark as { seal: string };
    const earlier = mark;
    await sweep(START + 3 * HOUR);
    for (const one of [seal, undefined, '', 7]) {
      mark = { until: new Date(START + 4 * HOUR).toISOString(), ...(one !== undefined && { seal: one }) };
      await sweep(START + 4 * HOUR);
      expect(asked.from).toEqual(new Date(START + 4 * HOUR - 90 * 24 * HOUR));
    }
    mark = earlier;
    await sweep(START + 5 * HOUR);
    expect(asked.from).toEqual(new Date(START - HOUR));
  });

  it('asks for what it has recorded again where its mark went back, as a standby that lagged has neither', async () => {
    reports = [reportOf('known', START)];
    recorded.add('known');
    const earlier = mark;
    expect(await sweep(START + MINUTE)).toMatchObject({ railIds: ['known'] });
    expect(await sweep(START + 2 * MINUTE)).toMatchObject({ railIds: [] });
    mark = earlier;
    expect(await sweep(START + 3 * MINUTE)).toMatchObject({ railIds: ['known'] });
    expect(await sweep(START + 4 * MINUTE)).toMatchObject({ railIds: [] });
  });

  it('asks for it again also where the failover was in the midst of a sweep, which left no new mark', async () => {
    reports = [reportOf('known', START)];
    recorded.add('known');
    unread = [new Error('not whole')];
    const earlier = mark;
    expect(await sweep(START + MINUTE)).toMatchObject({ railIds: ['known'] });
    expect(await sweep(START + 2 * MINUTE)).toMatchObject({ railIds: [] });
    [mark, unread] = [earlier, []];
    expect(await sweep(START + 3 * MINUTE)).toMatchObject({ railIds: ['known'] });
    expect(await sweep(START + 4 * MINUTE)).toMatchObject({ railIds: [] });
  });

  it('waits a day anew for a deposit that is gone with a standby that lagged', async () => {
    reports = [reportOf('early', START)];
    const earlier = mark;
    await sweep(START + MINUTE);
    recorded.add('early');
    await sweep(START + 2 * MINUTE);
    recorded.clear();
    mark = earlier;
    expect(await sweep(START + 25 * HOUR)).toEqual({ railIds: ['early'], until: START });
    recorded.add('early');
    expect(await sweep(START + 26 * HOUR)).toEqual({ railIds: ['early'], until: START + 26 * HOUR });
  });

  it.each([{ psp: 'another' }, { name: 'bcb' }])('begins as the first one does after sweeps of %j', async (other) => {
    Object.assign(rail, other);
    await sweep(START + HOUR);
    Object.assign(rail, { name: 'efi', psp: 'one' });
    await sweep(START + 2 * HOUR);
    expect(asked.from).toEqual(new Date(START + 2 * HOUR - 90 * 24 * HOUR));
    await sweep(START + 3 * HOUR);
    expect(asked.from).toEqual(new Date(START + HOUR));
  });

  it('gives up a report of no deposit of ours after a day, and never goes back for it', async () => {
    reports = [reportOf('foreign', START - HOUR)];
    expect(await sweep(START + HOUR)).toEqual({ railIds: ['foreign'], until: START });
    expect(await sweep(START + 24 * HOUR)).toEqual({ railIds: ['foreign'], until: START });
    expect(await sweep(START + 25 * HOUR)).toEqual({ railIds: ['foreign'], until: START + 25 * HOUR });
  });
});
