import { describe, expect, it } from '@jest/globals';
import type { Demand, Pressure } from './demand.js';
import { Pace } from './pace.js';

const SLOTS = 2_000;
const ON_TIME = () => new Date();

/** @param single the pressures of single commands, those of all if absent */
function demandOf(all: readonly Pressure[], single = all): Demand {
  let looks = -1;
  return { look: () => ({ all: all[++looks]!, single: single[looks]! }) } as unknown as Demand;
}

/** @returns how many items begin at each of the looks at a process under these pressures */
function begin(pressures: readonly Pressure[], oldest = ON_TIME, single = pressures): number[] {
  const pace = new Pace(demandOf(pressures, single));
  return pressures.map(() => pace.begin(SLOTS, oldest()));
}

const looks = (count: number, pressure: Pressure) => Array.from({ length: count }, () => pressure);

describe('the pace of work that gives way', () => {
  it('is as fast as there are slots where nobody asks for anything', () => {
    expect(begin(['none'])).toEqual([SLOTS]);
  });

  it('keeps to the least while requests keep the process busy', () => {
    expect(begin(looks(5, 'busy'))).toEqual(looks(5, 'busy').map(() => 32));
  });

  it('grows while there is time left beside requests, and falls again, never below the least', () => {
    const growing = begin([...looks(8, 'some'), ...looks(20, 'busy')]);
    expect(growing.slice(0, 8)).toEqual(growing.slice(0, 8).toSorted((a, b) => a - b));
    expect(growing[7]).toBeGreaterThan(32 * 5);
    expect(growing[8]).toBeLessThan(growing[7]!);
    expect(growing.at(-1)).toBe(32);
  });

  it('doubles with each second for which the oldest item is late, up to its bound', () => {
    const late = (ms: number) => begin(['busy'], () => new Date(Date.now() - ms))[0];
    expect(late(4_900)).toBe(32);
    expect(late(7_000)).toBeGreaterThanOrEqual(128);
    expect(late(7_000)).toBeLessThan(160);
    expect(late(3_600_000)).toBe(1_024);
  });

  it('is late after half a minute where no single command comes', () => {
    const late = (ms: number) => begin(['busy'], () => new Date(Date.now() - ms), ['none'])[0];
    expect(late(29_900)).toBe(32);
    expect(late(32_000)).toBeGreaterThanOrEqual(128);
    expect(late(3_600_000)).toBe(1_024);
  });

  it('rests for as long as what it began takes at its pace', async () => {
    const pace = new Pace(demandOf(['busy']));
    expect(pace.isResting).toBe(false);
    pace.begin(SLOTS, ON_TIME());
    expect(pace.isResting).toBe(true);
    await new Promise((resume) => setTimeout(resume, 300));
    expect(pace.isResting).toBe(false);
  });
});
