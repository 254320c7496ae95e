import { describe, expect, it } from '@jest/globals';
import { UnsureRefusals } from './unsure-refusals.js';

const MINUTE = 60_000;

describe('a refusal after an attempt that may have been accepted', () => {
  const at = () => {
    const clock = { now: 0 };
    const refusals = new UnsureRefusals(5 * MINUTE, () => clock.now);
    return { refusals, isFinalAt: (now: number, id = 'D1') => ((clock.now = now), refusals.isFinal(id)) };
  };

  it('is final when it has held for as long as the look-up may lag', () => {
    const { isFinalAt } = at();
    expect([0, 1, 4.9, 5, 6].map((minutes) => isFinalAt(minutes * MINUTE))).toEqual([false, false, false, true, true]);
  });

  it('is counted for each request by itself', () => {
    const { isFinalAt } = at();
    isFinalAt(0);
    expect(isFinalAt(5 * MINUTE, 'D2')).toBe(false);
  });

  it('is counted anew after an attempt whose outcome is unknown', () => {
    const { refusals, isFinalAt } = at();
    isFinalAt(0);
    refusals.forget('D1');
    expect([5, 9, 10].map((minutes) => isFinalAt(minutes * MINUTE))).toEqual([false, false, true]);
  });

  it('is forgotten after an hour', () => {
    const { isFinalAt } = at();
    isFinalAt(0);
    expect(isFinalAt(61 * MINUTE)).toBe(false);
  });
});
