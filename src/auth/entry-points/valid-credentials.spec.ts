import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ValidCredentials } from './valid-credentials.js';

const HOUR = 3_600_000;

describe('a credential that was valid', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is known for half a day after its last use, and no other is', () => {
    const valid = new ValidCredentials();
    valid.add('own');
    jest.advanceTimersByTime(12 * HOUR - 1);
    expect([valid.has('own'), valid.has('another')]).toEqual([true, false]);
    jest.advanceTimersByTime(1);
    expect(valid.has('own')).toBe(false);
    valid.add('own');
    expect(valid.has('own')).toBe(true);
  });

  it('is told to others when it is new, and once an hour', () => {
    const valid = new ValidCredentials();
    expect([valid.add('own'), valid.add('own')]).toEqual([true, false]);
    jest.advanceTimersByTime(HOUR - 1);
    expect(valid.add('own')).toBe(false);
    jest.advanceTimersByTime(1);
    expect([valid.add('own'), valid.add('own')]).toEqual([true, false]);
  });

  it('is one of ten thousand, of which the oldest is forgotten first', () => {
    const valid = new ValidCredentials();
    for (let i = 0; i < 10_000; i++) valid.add(`c${i}`);
    jest.advanceTimersByTime(HOUR);
    valid.add('c0');
    valid.add('new');
    expect([valid.has('c0'), valid.has('c1'), valid.has('c2')]).toEqual([true, false, true]);
    expect([valid.keys().length, valid.keys()[0], valid.keys().at(-1)]).toEqual([10_000, 'new', 'c2']);
  });
});
