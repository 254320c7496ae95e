import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { post } from './posting.js';

const account = (uid: string, available: bigint, held = 0n, entries = 0) => ({
  uid,
  available,
  held,
  blocked: 0n,
  entries,
});

describe('postings', () => {
  it('carry the entry number and the balance after each, one building on another', () => {
    const a = account('a', 1000n, 0n, 7);
    expect(
      post([
        { account: a, bucket: 'available', amount: -300n },
        { account: a, bucket: 'held', amount: 300n },
        { account: a, bucket: 'available', amount: -50n },
        { account: { ...account('fees', 10n), system: 'fees' }, bucket: 'available', amount: 50n },
      ]),
    ).toEqual([
      { account: 'a', bucket: 'available', amount: '-300', entry: 8, balance: '700' },
      { account: 'a', bucket: 'held', amount: '300', entry: 9, balance: '300' },
      { account: 'a', bucket: 'available', amount: '-50', entry: 10, balance: '650' },
      { account: 'fees', system: 'fees', bucket: 'available', amount: '50', entry: 1, balance: '60' },
    ]);
  });

  it('that do not sum to zero are refused', () => {
    fc.assert(
      fc.property(fc.bigInt(-1000n, 1000n), fc.bigInt(-1000n, 1000n), (first, second) => {
        const movements = [
          { account: account('a', 0n), bucket: 'available' as const, amount: first },
          { account: account('b', 0n), bucket: 'available' as const, amount: second },
        ];
        if (first + second === 0n) expect(post(movements)).toHaveLength(2);
        else expect(() => post(movements)).toThrow(RangeError);
      }),
    );
  });
});
