import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HeldLease, Refusals } from '../../event-store/index.js';
import { unsureRefusals } from './unsure-refusal.js';

const MINUTE = 60_000;
const LAG = 5 * MINUTE;

describe('a refusal that the look-up does not contradict', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const attempt = (attempts: number, refusals: Refusals | null = null) => ({
    ...{ attempts, refusals },
    lease: new HeldLease('a-lease'),
  });

  it('is final for the first attempt', () => {
    expect(unsureRefusals(attempt(1), LAG)).toBeUndefined();
  });

  it('is not, where its lease may be over: another process may have made the second attempt', () => {
    const first = attempt(1);
    jest.advanceTimersByTime(4_000);
    expect(unsureRefusals(first, LAG)?.lastMs).toBe(0);
  });

  it('is counted from now on after an attempt whose outcome is not known', () => {
    expect(unsureRefusals(attempt(7), LAG)?.lastMs).toBe(0);
  });

  it.each([
    ['not yet final', 4.9 * MINUTE, false],
    ['final', 5 * MINUTE, true],
  ])('is %s when every attempt was refused for %d ms', (_, refusedFor, isFinal) => {
    const before = new Refusals(refusedFor - MINUTE);
    jest.advanceTimersByTime(MINUTE);
    expect(unsureRefusals(attempt(7, before), LAG)).toEqual(isFinal ? undefined : before);
  });

  it('is not final a second after the first one, whatever the clock is set to', () => {
    const before = unsureRefusals(attempt(2), LAG)!;
    jest.advanceTimersByTime(1_000);
    jest.setSystemTime(Date.now() + 2 * LAG);
    expect(unsureRefusals(attempt(3, before), LAG)).toBe(before);
  });

  it('is final at once at a rail whose look-up does not lag', () => {
    expect(unsureRefusals(attempt(7), 0)).toBeUndefined();
  });
});
