import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RailSweep } from './rail-sweep.js';

const NOW = Date.parse('2026-11-20T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** As the database's infinity is read. */
const INFINITY = 8.64e15;

let mark: number | undefined;
let began: number | undefined;
let asked: Date;
let moved: boolean;
let unread: Error[];

const database = {
  backgroundQuery: ({ name }: { name: string }) => {
    if (name === 'sweep-move') moved = true;
    if (name === 'sweep-left') return Promise.resolve([]);
    if (name === 'sweep-position') return Promise.resolve(mark === undefined ? [] : [{ swept_until: new Date(mark) }]);
    return Promise.resolve([{ now: new Date(NOW) }]);
  },
};
const log = { readAfter: () => Promise.resolve(began === undefined ? [] : [{ time: new Date(began) }]) };
const rail = {
  name: 'rail',
  receivedBetween: (from: Date) => {
    asked = from;
    return Promise.resolve({ items: [], nextCursor: null, unread });
  },
};

/** @returns how long before the present the sweep begins, beside its overlap */
async function beginsBefore(given: number | undefined): Promise<number> {
  mark = given;
  await new RailSweep(...([database, log, {}, rail, {}] as never as ConstructorParameters<typeof RailSweep>)).run();
  return NOW - asked.getTime() - 5 * MINUTE;
}

beforeEach(() => {
  began = NOW - 30 * DAY;
  [moved, unread] = [false, []];
});

describe('a sweep of the rail', () => {
  it('begins at its mark, also after days without a process', async () => {
    expect(await beginsBefore(NOW - MINUTE)).toBe(MINUTE);
    expect(await beginsBefore(NOW - 5 * DAY)).toBe(5 * DAY);
    expect(await beginsBefore(NOW + 5 * MINUTE)).toBe(-5 * MINUTE);
  });

  it('begins a day earlier where a clock was ahead', async () => {
    expect(await beginsBefore(NOW + 60 * MINUTE)).toBe(DAY - 5 * MINUTE);
  });

  it.each([undefined, INFINITY, NOW + 2 * DAY, -INFINITY, Date.parse('-004700-01-01')])(
    'begins with the first event where its mark is %s, which no sweep has left',
    async (odd) => {
      expect(await beginsBefore(odd)).toBe(30 * DAY);
      began = undefined;
      expect(await beginsBefore(odd)).toBe(0);
    },
  );

  it('leaves its mark where it is while the rail lists something that cannot be read', async () => {
    unread = [new Error('not whole')];
    await beginsBefore(NOW - MINUTE);
    expect(moved).toBe(false);
    unread = [];
    await beginsBefore(NOW - MINUTE);
    expect(moved).toBe(true);
  });

  it('goes back ninety days at most', async () => {
    began = NOW - 1000 * DAY;
    for (const odd of [undefined, INFINITY, -INFINITY, NOW - 100 * DAY]) expect(await beginsBefore(odd)).toBe(90 * DAY);
    expect(await beginsBefore(NOW - 80 * DAY)).toBe(80 * DAY);
  });
});

describe('what cannot be recorded', () => {
  const HOUR = 60 * MINUTE;
  const marks = new Map<string, number>();
  let intervals: [from: number, to: number][];
  let poison: number | undefined;
  let sweep: RailSweep;

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    marks.clear();
    marks.set('rail', NOW);
    poison = NOW + MINUTE / 2;
    const stored = {
      backgroundQuery: ({ name, values }: { name: string; values: readonly any[] }) => {
        if (name === 'sweep-move') marks.set(values[1], values[2].getTime());
        if (name === 'sweep-left-done') marks.delete(values[1]);
        const rows = [...marks].map(([rail, at]) => ({ rail, swept_until: new Date(at) }));
        if (name === 'sweep-position') return Promise.resolve(rows.filter((row) => row.rail === 'rail'));
        if (name === 'sweep-left') return Promise.resolve(rows.filter((row) => row.rail.startsWith(values[1])));
        return Promise.resolve([{ now: new Date() }]);
      },
    };
    const listing = {
      name: 'rail',
      receivedBetween: (from: Date, to: Date) => {
        intervals.push([from.getTime(), to.getTime()]);
        const isIn = poison !== undefined && poison >= from.getTime() && poison < to.getTime();
        return Promise.resolve({ items: [], nextCursor: null, unread: isIn ? [new Error('not whole')] : [] });
      },
    };
    sweep = new RailSweep(...([stored, log, {}, listing, {}] as never as ConstructorParameters<typeof RailSweep>));
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  /** Sweeps each minute. @returns what they asked for */
  async function sweepFor(ms: number): Promise<typeof intervals> {
    intervals = [];
    for (let passed = 0; passed < ms; passed += MINUTE) {
      jest.advanceTimersByTime(MINUTE);
      await sweep.run();
    }
    return intervals;
  }

  it('holds the mark up for an hour, is asked for each hour then, and is forgotten once it is recorded', async () => {
    await sweepFor(30 * MINUTE);
    expect(marks.get('rail')).toBeLessThan(poison!);
    await sweepFor(2 * HOUR);
    expect(marks.get('rail')).toBe(Date.now());
    expect(marks.size).toBe(2);

    const asked = await sweepFor(10 * HOUR);
    const withIt = asked.filter(([from, to]) => from <= poison! && to > poison!);
    expect(withIt).toHaveLength(10);
    for (const [from, to] of asked) expect(to - from).toBeLessThanOrEqual(HOUR + 10 * MINUTE);

    poison = undefined;
    await sweepFor(HOUR);
    expect([...marks.keys()]).toEqual(['rail']);
  });

  it('is given up where it is older than ninety days', async () => {
    await sweepFor(2 * HOUR);
    expect(marks.size).toBe(2);
    jest.setSystemTime(NOW + 91 * DAY);
    marks.set('rail', Date.now());
    await sweepFor(HOUR);
    expect([...marks.keys()]).toEqual(['rail']);
  });
});
