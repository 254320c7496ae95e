import { describe, expect, it } from '@jest/globals';
import {
  dayAfter,
  dayBefore,
  daysBetween,
  fixedClockOf,
  isDay,
  midnightOf,
  momentOf,
  onDay,
  saoPauloDay,
  saoPauloTime,
  wallClockOf,
} from './sao-paulo.js';

describe('days in São Paulo', () => {
  it('begin at three in the morning, UTC', () => {
    expect(saoPauloDay(new Date('2026-11-21T02:59:59.999Z'))).toBe('2026-11-20');
    expect(saoPauloDay(new Date('2026-11-21T03:00:00.000Z'))).toBe('2026-11-21');
    expect(midnightOf('2026-11-21')).toEqual(new Date('2026-11-21T03:00:00Z'));
    expect(midnightOf(new Date('2026-11-21T02:59:59.999Z'))).toEqual(new Date('2026-11-20T03:00:00Z'));
    expect(midnightOf(new Date('2026-11-21T03:00:00.000Z'))).toEqual(new Date('2026-11-21T03:00:00Z'));
    expect(onDay('2026-11-20', 24)).toEqual(midnightOf('2026-11-21'));
    expect(midnightOf('2026-13-01').getTime()).toBeNaN();
  });

  it('are counted by the calendar', () => {
    expect(daysBetween(new Date('2026-11-21T02:59:00Z'), new Date('2026-11-21T03:01:00Z'))).toBe(1);
    expect(daysBetween(new Date('2026-11-20T15:00:00Z'), new Date('2027-02-18T15:00:00Z'))).toBe(90);
  });
});

it.each([
  ['2026-11-20', true],
  ['2026-13-01', false],
  ['2026-1-1', false],
  ['x2026-11-20', false],
  ['2026-11-20T00:00Z', false],
  [20261120, false],
])('%p is a calendar day: %p', (text, is) => expect(isDay(text)).toBe(is));

it('a calendar day has one before it and one after it', () => {
  expect([dayBefore('2027-01-01'), dayAfter('2026-12-31')]).toEqual(['2026-12-31', '2027-01-01']);
});

describe('the clock in São Paulo', () => {
  it('shows the time of day', () => {
    expect(saoPauloTime(new Date('2026-11-21T01:05:59.999Z'))).toBe('22:05');
    expect(saoPauloTime(new Date('2026-11-21T03:00:00.000Z'))).toBe('00:00');
  });

  it('had summer time by the time zone database only', () => {
    const summer = new Date('2018-12-01T12:00:00.250Z');
    expect(wallClockOf(summer)).toBe(Date.parse('2018-12-01T10:00:00.250Z'));
    expect(fixedClockOf(summer)).toBe(Date.parse('2018-12-01T09:00:00.250Z'));
  });

  it.each([
    ['in winter', '2018-07-01T12:00', '2018-07-01T15:00'],
    ['in summer', '2018-12-01T12:00', '2018-12-01T14:00'],
    ['before the skipped hour', '2018-11-03T23:59', '2018-11-04T02:59'],
    ['in the skipped hour, as in that after it', '2018-11-04T00:30', '2018-11-04T03:30'],
    ['after the skipped hour', '2018-11-04T01:00', '2018-11-04T03:00'],
    ['before the repeated hour', '2018-02-17T22:59', '2018-02-18T00:59'],
    ['in the repeated hour, the first time', '2018-02-17T23:30', '2018-02-18T01:30'],
    ['after the repeated hour', '2018-02-18T00:00', '2018-02-18T03:00'],
  ])('shows a time at one moment: %s', (_when, clock, moment) => {
    expect(momentOf(Date.parse(`${clock}Z`))).toEqual(new Date(`${moment}Z`));
  });
});
