import { describe, expect, it } from '@jest/globals';
import { NO_LIMITS } from '../../domain/limit-terms.js';
import { NONE_COUNTED } from '../../domain/payout-limits.js';
import { showPayoutLimits } from './payout-limits-view.js';

/** A moment of November 2026 in São Paulo. */
const at = (time: string) => new Date(`2026-11-${time}:00-03:00`);

/** Limits of an account whose nights begin at another hour from the 21st on. */
function shownAt(time: string, [before, after]: readonly [string, string]) {
  const nightStart = { value: before, next: { value: after, from: at('21T06:00').toISOString() } };
  const limits = { since: '1', terms: { ...NO_LIMITS, nightStart }, counters: NONE_COUNTED };
  const { day, night, nextNightStart } = showPayoutLimits(limits, at(time));
  return { day: [day.from, day.to], night: [night.from, night.to], next: nextNightStart?.nightStartsAt };
}

describe('day and night where the hour of the night is changed', () => {
  it.each([['20', '22'] as const, ['22', '20'] as const])(
    'from %s to %s: the coming day has the new one',
    (...hours) => {
      const [before, after] = hours;
      const night = [at(`20T${before}:00`), at('21T06:00')];
      for (const time of ['20T22:00', '21T00:00', '21T05:59']) {
        expect(shownAt(time, hours)).toEqual({
          day: [at('21T06:00'), at(`21T${after}:00`)],
          night,
          next: `${after}:00`,
        });
      }
      expect(shownAt('20T12:00', hours)).toEqual({
        day: [at('20T06:00'), at(`20T${before}:00`)],
        night,
        next: `${after}:00`,
      });
      expect(shownAt('21T06:00', hours)).toEqual({
        day: [at('21T06:00'), at(`21T${after}:00`)],
        night: [at(`21T${after}:00`), at('22T06:00')],
        next: undefined,
      });
    },
  );
});
