import { describe, expect, it } from '@jest/globals';
import { assertWithin } from '../../accounts/index.js';
import { CHARGEABLE, isNight } from './limits.js';

describe('the night of the limits', () => {
  it.each([
    ['2026-11-20T22:59:59.999Z', false], // 19:59 in São Paulo
    ['2026-11-20T23:00:00.000Z', true], // 20:00
    ['2026-11-21T03:00:00.000Z', true], // midnight
    ['2026-11-21T08:59:59.999Z', true], // 05:59
    ['2026-11-21T09:00:00.000Z', false], // 06:00
  ])('at %s is %s', (at, night) => {
    expect(isNight(new Date(at))).toBe(night);
  });
});

describe('the largest charge', () => {
  const limits = CHARGEABLE;

  it('is what ten digits before the dot can say', () => {
    expect(() => assertWithin(limits, 9_999_999_999_99n)).not.toThrow();
    expect(() => assertWithin(limits, 10_000_000_000_00n)).toThrow(
      expect.objectContaining({ name: 'InvalidInputError' }),
    );
  });
});
