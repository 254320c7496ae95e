import { describe, expect, it } from '@jest/globals';
import { daysBetween, fixedClockOf, midnightOf, onDay, saoPauloDay, saoPauloTime, wallClockOf } from './sao-paulo.js';

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
});
