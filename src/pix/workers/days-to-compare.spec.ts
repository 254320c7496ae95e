import { describe, expect, it } from '@jest/globals';
import { dayBefore } from '../../platform/sao-paulo.js';
import { daysToCompare, MOST_DAYS } from './days-to-compare.js';

const TODAY = '2026-11-20';
const NOTHING = { compared: [], told: null, began: TODAY };
const daysBack = (count: number) => {
  const days = [TODAY];
  while (days.length <= count) days.push(dayBefore(days.at(-1)!));
  return days.slice(1).reverse();
};
/** All of November up to a day. */
const upTo = (day: number) => daysBack(19).slice(0, day);
const toCompare = (nights: object) => daysToCompare(TODAY, { ...NOTHING, ...nights });

describe('the days that a night compares', () => {
  it('are yesterday, where nothing was missed', () => {
    expect(toCompare({ compared: upTo(18), told: '2026-11-18' })).toEqual(['2026-11-19']);
    expect(toCompare({ compared: upTo(19), told: '2026-11-19' })).toEqual(['2026-11-19']);
  });

  it('are those since the last one, after days without a process', () => {
    expect(toCompare({ compared: upTo(16), told: '2026-11-16' })).toEqual(daysBack(3));
  });

  it('are those that the log lacks, whatever the timer says', () => {
    const compared = upTo(18).filter((day) => day !== '2026-11-09' && day !== '2026-11-12');
    for (const told of ['2026-11-19', '2026-11-12', '9999-12-31', 'x', '2026-13-45', 7, undefined])
      expect(toCompare({ compared, told })).toEqual(expect.arrayContaining(['2026-11-09', '2026-11-12', '2026-11-19']));
    expect(toCompare({ compared, told: '2026-11-18' })).toEqual(['2026-11-09', '2026-11-12', '2026-11-19']);
  });

  it('are those since the ledger began, where none was ever compared', () => {
    expect(toCompare({})).toEqual(['2026-11-19']);
    expect(toCompare({ began: '2026-11-17', told: {} })).toEqual(daysBack(3));
  });

  it('are those after the one of the timer, where an earlier version left none in the log', () => {
    expect(toCompare({ began: '2026-01-01', told: '2026-11-17' })).toEqual(daysBack(2));
  });

  it('are compared again where a process ended between them', () => {
    expect(toCompare({ compared: upTo(17), told: '2026-11-15' })).toEqual(daysBack(4));
  });

  it('are those of a year at most', () => {
    for (const nights of [{ compared: ['0001-01-01'] }, { told: '0001-01-01' }, { began: '2020-01-01' }])
      expect(toCompare(nights)).toEqual(daysBack(MOST_DAYS));
  });
});
