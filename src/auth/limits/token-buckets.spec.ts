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

  it('tell what is left, and how long there is nothing', () => {
    const buckets = new TokenBuckets(10);
    expect(buckets.left('a', 0)).toEqual({ tokens: 10, waitSeconds: 0 });
    taken(buckets, 'a', 4, 0);
    expect(buckets.left('a', 50)).toEqual({ tokens: 6, waitSeconds: 0 });
    taken(buckets, 'a', 6, 0);
    expect(buckets.left('a', 0)).toEqual({ tokens: 0, waitSeconds: 0.1 });
  });

  it('keep who has used up its tokens out while others come in any number', () => {
    const buckets = new TokenBuckets(1);
    buckets.take('a', 0);
    for (let i = 0; i < 200_000; i++) buckets.take(`other-${i}`, 0);
    // Others that used one up at the same moment matter as much: those that came last stay.
    expect(buckets.take('other-199999', 0)).toBe(false);
    const mixed = new TokenBuckets(5);
    taken(mixed, 'a', 5, 0);
    for (let i = 0; i < 200_000; i++) mixed.take(`other-${i}`, 0);
    expect(mixed.take('a', 0)).toBe(false);
  });
});
