import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HeldLease, moment } from './held-lease.js';

describe('a lease', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is certain for four seconds after it was found held', () => {
    const lease = new HeldLease('a-lease');
    jest.advanceTimersByTime(3_999);
    expect(lease.isCertain).toBe(true);
    jest.advanceTimersByTime(1);
    expect(lease.isCertain).toBe(false);
  });

  it('is certain from the begin of what found it held, not from its answer', () => {
    const lease = new HeldLease('a-lease');
    jest.advanceTimersByTime(2_000);
    const at = moment();
    jest.advanceTimersByTime(2_000);
    lease.confirm(at);
    expect(lease.isCertain).toBe(true);
    jest.advanceTimersByTime(2_000);
    expect(lease.isCertain).toBe(false);
  });

  it('is not certain after the machine was suspended, which its monotonic clock does not tell', () => {
    const lease = new HeldLease('a-lease');
    jest.setSystemTime(Date.now() + 4_000);
    expect(lease.isCertain).toBe(false);
  });

  it('is no more certain for a clock that was set back', () => {
    const lease = new HeldLease('a-lease');
    jest.setSystemTime(Date.now() - 60_000);
    jest.advanceTimersByTime(4_000);
    expect(lease.isCertain).toBe(false);
  });
});
