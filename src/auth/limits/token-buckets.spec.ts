import { describe, expect, it } from '@jest/globals';
import { TokenBuckets } from './token-buckets.js';

const taken = (buckets: TokenBuckets, key: string, times: number, now: number) =>
  Array.from({ length: times }, () => buckets.take(key, now)).filter(Boolean).length;

describe('token buckets', () => {
  it("grant a burst of a second's tokens, and then the refill", () => {
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

  it('report what remains, and the wait for the next token', () => {
    const buckets = new TokenBuckets(10);
    expect(buckets.left('a', 0)).toEqual({ tokens: 10, waitSeconds: 0 });
    taken(buckets, 'a', 4, 0);
    expect(buckets.left('a', 50)).toEqual({ tokens: 6, waitSeconds: 0 });
    taken(buckets, 'a', 6, 0);
    expect(buckets.left('a', 0)).toEqual({ tokens: 0, waitSeconds: 0.1 });
  });

  it('grant more than they hold where they are full, and owe it', () => {
    const buckets = new TokenBuckets(10);
    expect(buckets.take('a', 0)).toBe(true);
    expect(buckets.take('a', 0, 45)).toBe(false);
    expect(buckets.left('a', 0, 45)).toEqual({ tokens: 9, waitSeconds: 0.1 });
    expect(buckets.take('a', 100, 45)).toBe(true);
    expect(buckets.left('a', 100)).toEqual({ tokens: 0, waitSeconds: 3.6 });
    expect([buckets.take('a', 3_600), buckets.take('a', 3_700)]).toEqual([false, true]);
  });

  it('keep an exhausted key limited while any number of others come', () => {
    const buckets = new TokenBuckets(1);
    buckets.take('a', 0);
    for (let i = 0; i < 200_000; i++) buckets.take(`other-${i}`, 0);
    // Others exhausted at the same moment have the same weight: the newest stay.
    expect(buckets.take('other-199999', 0)).toBe(false);
    const mixed = new TokenBuckets(5);
    taken(mixed, 'a', 5, 0);
    for (let i = 0; i < 200_000; i++) mixed.take(`other-${i}`, 0);
    expect(mixed.take('a', 0)).toBe(false);
  });
});

describe('token buckets of several processes', () => {
  const two = () => {
    const urgent: boolean[] = [];
    const both = [new TokenBuckets(100), new TokenBuckets(100)] as const;
    for (const one of both) one.peersChanged((isUrgent) => urgent.push(isUrgent), 1, 0);
    return { both, urgent };
  };
  const send = (from: TokenBuckets, to: TokenBuckets, now: number) =>
    from.takeUnsent((key, tokens) => {
      to.takenElsewhere(key, tokens, now);
      return true;
    });

  it('owe what they granted concurrently, so that the sum is the limit', () => {
    const [one, other] = two().both;
    expect([taken(one, 'a', 500, 0), taken(other, 'a', 500, 0)]).toEqual([100, 100]);
    send(one, other, 0);
    send(other, one, 0);
    expect([taken(one, 'a', 500, 1_000), taken(other, 'a', 500, 1_000)]).toEqual([0, 0]);
    expect(one.left('a', 1_000).waitSeconds).toBeCloseTo(0.01);
    expect(taken(one, 'a', 500, 1_500)).toBe(50);
  });

  it('owe no less for a batch of their own, however little others take', () => {
    const buckets = new TokenBuckets(10);
    buckets.take('k', 0, 500);
    const { waitSeconds } = buckets.left('k', 0);
    for (const tokens of [1, 45]) {
      buckets.takenElsewhere('k', tokens, 0);
      expect(buckets.left('k', 0).waitSeconds).toBeGreaterThanOrEqual(waitSeconds);
    }
  });

  it('owe nothing for more than another can have granted', () => {
    const buckets = new TokenBuckets(10);
    for (const tokens of [1_101, 9_999_999]) buckets.takenElsewhere('a', tokens, 0);
    expect(buckets.left('a', 0).tokens).toBe(10);
  });

  it('notify at once that tokens were taken, and when they were many', () => {
    const { both, urgent } = two();
    taken(both[0], 'a', 20, 0);
    expect(urgent).toEqual([false, true]);
  });

  it('tell what was taken most first, and the rest later', () => {
    const [one] = two().both;
    taken(one, 'little', 1, 0);
    taken(one, 'much', 9, 0);
    const sent: [string, number][] = [];
    one.takeUnsent((key, tokens) => sent.length < 1 && sent.push([key, tokens]) > 0);
    one.takeUnsent((key, tokens) => sent.push([key, tokens]) > 0);
    expect(sent).toEqual([
      ['much', 9],
      ['little', 1],
    ]);
  });

  it('grant their share while disconnected, and owe nothing for it later', () => {
    const [one, other] = two().both;
    for (const buckets of [one, other]) buckets.peersChanged(undefined, 1 / 2, 0);
    expect([taken(one, 'a', 500, 0), taken(other, 'a', 500, 0)]).toEqual([50, 50]);
    expect(taken(one, 'a', 500, 1_000)).toBe(50);
    for (const buckets of [one, other]) buckets.peersChanged(() => undefined, 1, 1_000);
    send(one, other, 1_000);
    expect(taken(other, 'a', 500, 1_000)).toBe(50);
  });

  it('grant at least one, however small their share of the limit', () => {
    const buckets = new TokenBuckets(1);
    buckets.peersChanged(undefined, 1 / 10, 0);
    expect([taken(buckets, 'a', 9, 0), taken(buckets, 'a', 9, 5_000), taken(buckets, 'a', 9, 10_000)]).toEqual([
      1, 0, 1,
    ]);
  });
});
