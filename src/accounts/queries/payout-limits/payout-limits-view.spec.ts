import { describe, expect, it } from '@jest/globals';
import { NO_LIMITS } from '../../domain/limit-terms.js';
import { NONE_COUNTED } from '../../domain/payout-limits.js';
import { showPayoutLimits } from './payout-limits-view.js';

/** Times are those of São Paulo. */
const at = (local: string) => new Date(`2026-11-${local}-03:00`);

describe('limits of payouts, while a later night waits', () => {
  const nightStart = { value: '20', next: { value: '22', from: at('21T06:00').toISOString() } };
  const limits = { since: '1', terms: { ...NO_LIMITS, nightStart }, counters: NONE_COUNTED };

  it.each([
    ['the day before', '20T12:00', ['20T06:00', '20T20:00'], ['20T20:00', '21T06:00']],
    [
      'the night before: the coming day is longer already',
      '21T03:00',
      ['21T06:00', '21T22:00'],
      ['20T20:00', '21T06:00'],
    ],
    ['the day from which it holds', '21T06:00', ['21T06:00', '21T22:00'], ['21T22:00', '22T06:00']],
  ] as const)('tell the periods in which payouts count: %s', (_when, moment, day, night) => {
    const view = showPayoutLimits(limits, at(moment));
    expect([view.day, view.night]).toMatchObject([day, night].map(([from, to]) => ({ from: at(from), to: at(to) })));
    expect(view.payee.day).toMatchObject({ from: at(day[0]), to: at(day[1]) });
  });
});
