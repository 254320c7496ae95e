import { describe, expect, it } from '@jest/globals';
import { TokenBuckets } from './token-buckets.js';

const taken = (buckets: TokenBuckets, key: string, times: number, now: number) =>
  Array.from({ length: times }, () => buckets.take(key, now)).filter(Boolean).length;

describe('token buckets', () => {
  it("give a second's worth at once, and then what comes back", () => {
    const buckets = new TokenBuckets(10);
    expect(taken(buckets, 'a', 100, 0)).toBe(10);
    expect(taken(buckets, 'a', 100, 500)).toBe(5);
    expect(taken(buckets, 'a', 100, 60_000)).toBe(10);
  });

  it('are apart for each key', () => {
    const buckets = new TokenBuckets(3);
    expect(taken(buckets, 'a', 9, 0)).toBe(3);
    expect(taken(buckets, 'b', 9, 0)).toBe(3);
  });

  it('are no limit at rate 0', () => {
    expect(taken(new TokenBuckets(0), 'a', 1_000, 0)).toBe(1_000);
  });

  it('keep who has used up its tokens out while others come in any number', () => {
    const buckets = new TokenBuckets(1);
    for (let i = 0; i < 49_999; i++) buckets.take(`other-${i}`, 0);
    buckets.take('a', 1_500);
    buckets.take('one more', 1_500);
    expect(buckets.take('a', 1_500)).toBe(false);
  });
});
