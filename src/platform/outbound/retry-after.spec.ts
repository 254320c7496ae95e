import { describe, expect, it } from '@jest/globals';
import { MAX_RETRY_AFTER_SECONDS, retryAfterSeconds } from './retry-after.js';

const now = Date.UTC(2026, 6, 1, 12, 0, 0, 500);

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120],
    [' 7 ', 7],
    ['9999999999999999999', MAX_RETRY_AFTER_SECONDS],
    ['Wed, 01 Jul 2026 12:00:30 GMT', 30],
    ['Wednesday, 01-Jul-26 12:00:30 GMT', 30],
    ['Wed Jul  1 12:00:30 2026', 30],
    ['Wed, 01 Jul 2026 11:59:00 GMT', 0],
    ['Fri, 01 Jul 2050 12:00:00 GMT', MAX_RETRY_AFTER_SECONDS],
  ])('reads "%s" as %d seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });

  it.each(['', '-1', '1.5', '1e3', '0x10', 'soon', '2026-07-01T12:00:30Z', 'Wed, 99 Jul 2026 12:00:30 GMT'])(
    'ignores "%s"',
    (header) => {
      expect(retryAfterSeconds(header, now)).toBeUndefined();
    },
  );

  it('takes the first of several, and nothing where there is none', () => {
    expect(retryAfterSeconds(['3', '4'], now)).toBe(3);
    expect(retryAfterSeconds(undefined, now)).toBeUndefined();
  });
});
