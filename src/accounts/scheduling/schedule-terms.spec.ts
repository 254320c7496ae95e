import { describe, expect, it } from '@jest/globals';
import { assertSchedulable, laterTerms, parseMoment } from './schedule-terms.js';

const AT = new Date('2026-11-20T12:00:00Z');
const reasonOf = (run: () => void) => {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as { details: { reason: string } }).details.reason;
  }
};

describe('a time of a body', () => {
  it.each([
    ['2027-01-04', '2027-01-04T09:00:00.000Z'],
    ['2027-01-04T23:30', '2027-01-05T02:30:00.000Z'],
    ['2027-01-04T23:30:15.5', '2027-01-05T02:30:15.500Z'],
    ['2027-01-04T23:30:00Z', '2027-01-04T23:30:00.000Z'],
    ['2027-01-04T23:30:00+02:00', '2027-01-04T21:30:00.000Z'],
    // Summer time: two hours behind UTC, until 2019.
    ['2018-12-24T12:00', '2018-12-24T14:00:00.000Z'],
    // Skipped when clocks were put ahead; twice when they were put back.
    ['2018-11-04T00:30', '2018-11-04T03:30:00.000Z'],
    ['2019-02-16T23:30', '2019-02-17T01:30:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(parseMoment(text, 6)?.toISOString()).toBe(moment);
  });

  it.each(['2027-02-30', '2027-13-01', '04/01/2027', '2027-01-04 10:00', '', 'tomorrow', '2027-01-04T25:00'])(
    '%p is none',
    (text) => {
      expect(parseMoment(text, 6)).toBeUndefined();
    },
  );

  it('that is a date begins in the morning, and ends with the day', () => {
    const terms = laterTerms({ scheduledFor: '2027-01-04', retryUntil: '2027-01-05' })!;
    expect(terms.scheduledFor.toISOString()).toBe('2027-01-04T09:00:00.000Z');
    expect(terms.retryUntil!.toISOString()).toBe('2027-01-06T03:00:00.000Z');
    expect(laterTerms({})).toBeUndefined();
  });
});

describe('what is scheduled', () => {
  const later = (milliseconds: number) => new Date(AT.getTime() + milliseconds);
  const YEAR = 366 * 86_400_000;
  const MONTH = 30 * 86_400_000;

  it.each<[string | undefined, Date, Date | undefined]>([
    ['ScheduledForNotAllowed', AT, undefined],
    [undefined, later(1), undefined],
    [undefined, later(YEAR), undefined],
    ['ScheduledForNotAllowed', later(YEAR + 1), undefined],
    ['RetryUntilNotAllowed', later(10), later(10)],
    [undefined, later(10), later(11)],
    [undefined, later(10), later(10 + MONTH)],
    ['RetryUntilNotAllowed', later(10), later(11 + MONTH)],
  ])('is answered %s for %s, until %s', (reason, scheduledFor, retryUntil) => {
    expect(reasonOf(() => assertSchedulable({ scheduledFor, retryUntil }, AT))).toBe(reason);
  });

  it.each([
    ['a.start', AT, undefined, 'a.start must be in the future'],
    ['an.end', later(10), later(10), 'an.end must be after a.start'],
  ])('is refused for its member %s', (property, scheduledFor, retryUntil, message) => {
    const paths = { scheduledFor: 'a.start', retryUntil: 'an.end' };
    expect(() => assertSchedulable({ scheduledFor, retryUntil }, AT, paths)).toThrow(
      expect.objectContaining({
        details: expect.objectContaining({ property, message: expect.stringContaining(message) }),
      }),
    );
  });
});
