import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HeldLease } from '../../event-store/index.js';
import { unsureSince } from './unsure-refusal.js';

const MINUTE = 60_000;
const LAG = 5 * MINUTE;

describe('a refusal that the look-up does not contradict', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const attempt = (attempts: number, refusedSince: Date | null = null) => ({
    ...{ attempts, refusedSince },
    lease: new HeldLease('a-lease'),
  });
  const ago = (ms: number) => new Date(Date.now() - ms);

  it('is final for the first attempt', () => {
    expect(unsureSince(attempt(1), LAG)).toBeUndefined();
  });

  it('is not, where its lease may be over: another process may have made the second attempt', () => {
    const first = attempt(1);
    jest.advanceTimersByTime(4_000);
    expect(unsureSince(first, LAG)).toEqual(new Date());
  });

  it('is counted from now on after an attempt whose outcome is not known', () => {
    expect(unsureSince(attempt(7), LAG)).toEqual(new Date());
  });

  it.each([
    ['not yet final', 4.9 * MINUTE, false],
    ['final', 5 * MINUTE, true],
  ])('is %s when every attempt was refused for %d ms', (_, refusedFor, isFinal) => {
    const since = ago(refusedFor);
    expect(unsureSince(attempt(7, since), LAG)).toEqual(isFinal ? undefined : since);
  });

  it('is counted from now on where the clock was set back', () => {
    expect(unsureSince(attempt(7, ago(-MINUTE)), LAG)).toEqual(new Date());
  });

  it('is final at once at a rail whose look-up does not lag', () => {
    expect(unsureSince(attempt(7), 0)).toBeUndefined();
  });
});
