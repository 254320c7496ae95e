import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_RETRY_SCHEDULE, InvalidRetrySchedule, nextWaitMs, parseRetrySchedule } from './retry-schedule.js';

const hour = 3_600_000;
const schedule = parseRetrySchedule(DEFAULT_RETRY_SCHEDULE);
const middle = 0.5;

describe('reading a schedule', () => {
  it('knows its units', () => {
    expect(schedule).toEqual([
      0,
      5_000,
      300_000,
      1_800_000,
      2 * hour,
      5 * hour,
      10 * hour,
      14 * hour,
      20 * hour,
      24 * hour,
    ]);
    expect(parseRetrySchedule('0s, 200ms,1s')).toEqual([0, 200, 1_000]);
    expect(parseRetrySchedule(Array(100).fill('720h').join())).toEqual(Array(100).fill(720 * hour));
  });

  it.each(['', '5', 's', '1d', '-1s', '1.5s', '0s,', '0s,,1s', '0s;1s', '721h', Array(101).fill('0s').join()])(
    'refuses "%s"',
    (text) => {
      expect(() => parseRetrySchedule(text)).toThrow(InvalidRetrySchedule);
    },
  );
});

describe('the next wait', () => {
  it('follows the steps and then is exhausted', () => {
    const waits = schedule.map((_, attempts) => nextWaitMs(schedule, attempts, undefined, middle));
    expect(waits).toEqual(schedule);
    expect(nextWaitMs(schedule, schedule.length, undefined, middle)).toBeUndefined();
    expect(nextWaitMs(schedule, schedule.length, 60, middle)).toBeUndefined();
  });

  it('varies by a fifth either way', () => {
    expect(nextWaitMs(schedule, 1, undefined, 0)).toBe(4_000);
    expect(nextWaitMs(schedule, 1, undefined, 0.999999)).toBe(6_000);
    expect(nextWaitMs(schedule, 0, undefined, 0.999999)).toBe(0);
  });

  it('waits as long as Retry-After asks, within the step after', () => {
    expect(nextWaitMs(schedule, 1, 60, 0)).toBe(60_000);
    expect(nextWaitMs(schedule, 1, 60, 0.999999)).toBe(72_000);
    expect(nextWaitMs(schedule, 1, 300, 0)).toBe(300_000);
    expect(nextWaitMs(schedule, 1, 3_600, middle)).toBe(300_000);
  });

  it('holds the last step against any Retry-After', () => {
    expect(nextWaitMs(schedule, 9, 7 * 86_400, middle)).toBe(24 * hour);
    expect(nextWaitMs([0, 1_000], 1, 60, middle)).toBe(1_000);
  });

  it('is not shortened by a Retry-After below the step, nor jittered below it', () => {
    expect(nextWaitMs(schedule, 1, 1, middle)).toBe(5_000);
    expect(nextWaitMs(schedule, 2, 290, 0)).toBe(290_000);
  });

  it('stays within a fifth of the bounds of decisions 8, and never before a Retry-After within them', () => {
    const steps = fc
      .array(fc.nat({ max: 1e8 }), { minLength: 1, maxLength: 12 })
      .map((list) => list.sort((a, b) => a - b));
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(
        steps,
        fc.nat({ max: 11 }),
        fc.option(fc.nat({ max: 1e6 }), { nil: undefined }),
        random,
        (list, n, asked, r) => {
          const wait = nextWaitMs(list, n, asked, r);
          const step = list[n];
          if (step === undefined) return wait === undefined;
          const bound = list[n + 1] ?? list.at(-1)!;
          const askedMs = (asked ?? 0) * 1_000;
          const nominal = Math.min(Math.max(askedMs, step), bound);
          const within = wait! >= Math.floor(nominal * 0.8) && wait! <= Math.ceil(nominal * 1.2);
          return within && (askedMs > bound || wait! >= askedMs);
        },
      ),
    );
  });
});
