import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Calendar, runsBefore, runTime } from './calendar.js';

const times = (calendar: Calendar, runs: number) =>
  Array.from({ length: runs }, (_, run) => runTime(calendar, run).toISOString());

describe('the runs of a schedule', () => {
  it('of the 31st fall on the last day of shorter months, and return to the 31st', () => {
    const calendar: Calendar = { every: 'month', startsAt: new Date('2027-12-31T09:00:00Z') };
    expect(times(calendar, 5)).toEqual([
      '2027-12-31T09:00:00.000Z',
      '2028-01-31T09:00:00.000Z',
      '2028-02-29T09:00:00.000Z',
      '2028-03-31T09:00:00.000Z',
      '2028-04-30T09:00:00.000Z',
    ]);
  });

  it('are counted by the day in São Paulo, which is another one late in the evening', () => {
    const calendar: Calendar = { every: 'month', startsAt: new Date('2027-02-01T01:30:00Z') };
    expect(times(calendar, 3)).toEqual([
      '2027-02-01T01:30:00.000Z',
      '2027-03-01T01:30:00.000Z',
      '2027-04-01T01:30:00.000Z',
    ]);
  });

  it('stay at their time of day where clocks are changed', () => {
    // Until 2019 São Paulo put its clocks ahead in November and back in February.
    const calendar: Calendar = { every: 'week', startsAt: new Date('2018-10-31T09:00:00Z') };
    expect(times(calendar, 2)).toEqual(['2018-10-31T09:00:00.000Z', '2018-11-07T08:00:00.000Z']);
    const back: Calendar = { every: 'month', startsAt: new Date('2019-01-31T08:00:00Z') };
    expect(times(back, 3)).toEqual([
      '2019-01-31T08:00:00.000Z',
      '2019-02-28T09:00:00.000Z',
      '2019-03-31T09:00:00.000Z',
    ]);
  });

  it('are those of a simple model: a day of the month, or every seven days, on a wall calendar', () => {
    const start = fc.date({
      min: new Date('2026-01-01T03:00:00Z'),
      max: new Date('2036-01-01T00:00:00Z'),
      // A body with such a date is refused before it has a schedule.
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(start, fc.constantFrom('week', 'month'), fc.nat(59), (startsAt, every, run) => {
        const local = (moment: Date) => new Date(moment.getTime() - 3 * 3_600_000);
        const [first, found] = [local(startsAt), local(runTime({ every, startsAt }, run))];
        expect(found.getTime() % 86_400_000).toBe(first.getTime() % 86_400_000);
        if (every === 'week') return expect(found.getTime() - first.getTime()).toBe(run * 7 * 86_400_000);
        const months = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
        expect(months(found) - months(first)).toBe(run);
        const isLast = new Date(found.getTime() + 86_400_000).getUTCDate() === 1;
        if (found.getUTCDate() !== first.getUTCDate()) {
          expect(isLast).toBe(true);
          expect(found.getUTCDate()).toBeLessThan(first.getUTCDate());
        }
      }),
    );
  });

  it('end before a moment', () => {
    const calendar: Calendar = { every: 'week', startsAt: new Date('2027-01-04T09:00:00Z') };
    expect(runsBefore(calendar, new Date('2027-01-18T09:00:00Z'), 61)).toBe(2);
    expect(runsBefore(calendar, new Date('2027-01-18T09:00:00.001Z'), 61)).toBe(3);
    expect(runsBefore(calendar, new Date('2027-01-01T00:00:00Z'), 61)).toBe(0);
    expect(runsBefore(calendar, new Date('2037-01-01T00:00:00Z'), 61)).toBe(61);
  });
});
