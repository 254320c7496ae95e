import { describe, expect, it } from '@jest/globals';
import {
  formatDate,
  formatDuration,
  formatMoment,
  lastDayBefore,
  localOf,
  momentOf,
  startOfDay,
  today,
} from './date.js';

describe('dates', () => {
  it("are Brasília's, day first", () => {
    expect(formatMoment('2026-11-20T02:05:09.123Z')).toBe('19/11/2026 23:05:09');
    expect(formatDate('2026-11-20T03:00:00.000Z')).toBe('20/11/2026');
    expect(formatMoment('2026-11-20T03:00:00.000Z')).toBe('20/11/2026 00:00:00');
    expect(formatMoment('never')).toBe('never');
  });

  it("of a field become the day's start and end in Brasília", () => {
    expect(startOfDay('2026-11-20')).toBe('2026-11-20T03:00:00.000Z');
    expect(startOfDay('2026-11-30', 1)).toBe('2026-12-01T03:00:00.000Z');
    expect(lastDayBefore(startOfDay('2026-11-30', 1))).toBe('2026-11-30');
    expect(lastDayBefore('2026-11-30T13:00:00.000Z')).toBe('2026-11-30');
    expect(momentOf('2026-11-20T14:05')).toBe('2026-11-20T17:05:00.000Z');
    expect(localOf('2026-11-20T17:05:00.000Z')).toBe('2026-11-20T14:05:00');
    expect(today(Date.parse('2026-11-20T02:00:00Z'))).toBe('2026-11-19');
  });

  it('that are none stay the text that they are', () => {
    expect([startOfDay('202611-11-20', 1), startOfDay('2026-13-01')]).toEqual(['202611-11-20', '2026-13-01']);
    expect([startOfDay('2026-11-31', 1), startOfDay('2027-02-29')]).toEqual(['2026-11-31', '2027-02-29']);
    expect([momentOf('202611-11-20T14:05'), localOf('foo')]).toEqual(['202611-11-20T14:05', 'foo']);
  });

  it('apart become durations, rounded for people', () => {
    expect([12.4, 1234, 240_000, 10_800_000].map(formatDuration)).toEqual(['12 ms', '1,2 s', '4 min', '3 h']);
  });
});
