import { describe, expect, it } from '@jest/globals';
import { dayOrNightOf, hourOf, monthOf, nextMorning, type NightStart } from './payout-periods.js';

/** Times are those of São Paulo. */
const at = (local: string) => new Date(`2026-${local}-03:00`);

describe('day and night', () => {
  it.each<[string, NightStart, 'day' | 'night', string, string]>([
    ['11-20T05:59:59.999', 20, 'night', '11-19T20:00', '11-20T06:00'],
    ['11-20T06:00', 20, 'day', '11-20T06:00', '11-20T20:00'],
    ['11-20T19:59:59.999', 20, 'day', '11-20T06:00', '11-20T20:00'],
    ['11-20T20:00', 20, 'night', '11-20T20:00', '11-21T06:00'],
    ['11-21T00:00', 20, 'night', '11-20T20:00', '11-21T06:00'],
    ['11-20T21:59', 22, 'day', '11-20T06:00', '11-20T22:00'],
    ['11-20T22:00', 22, 'night', '11-20T22:00', '11-21T06:00'],
    ['12-01T03:00', 22, 'night', '11-30T22:00', '12-01T06:00'],
  ])('%s, with the night from %i:00, is %s', (moment, nightStart, kind, from, to) => {
    expect(dayOrNightOf(at(moment), nightStart)).toEqual({ kind, from: at(from), to: at(to) });
  });

  it('change at six in the morning', () => {
    expect(nextMorning(at('11-20T05:00'))).toEqual(at('11-20T06:00'));
    expect(nextMorning(at('11-20T06:00'))).toEqual(at('11-20T06:00'));
    expect(nextMorning(at('11-20T06:00:00.001'))).toEqual(at('11-21T06:00'));
  });
});

describe('months and hours', () => {
  it('are those of São Paulo', () => {
    const november = { from: at('11-01T00:00'), to: at('12-01T00:00') };
    expect(monthOf(at('11-01T00:00'))).toEqual(november);
    expect(monthOf(at('11-30T23:59:59.999'))).toEqual(november);
    expect(monthOf(at('12-31T23:00'))).toEqual({ from: at('12-01T00:00'), to: new Date('2027-01-01T00:00-03:00') });
    expect(hourOf(at('11-20T14:59:59.999'))).toEqual({ from: at('11-20T14:00'), to: at('11-20T15:00') });
  });
});
