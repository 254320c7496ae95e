import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RowSum } from './row-sum.js';

const sumOf = (rows: readonly (string | null)[][], key = 'a') => {
  const sum = new RowSum(key);
  for (const row of rows) sum.add(row);
  return sum.text();
};
const rows = fc.array(fc.array(fc.option(fc.string(), { nil: null }), { maxLength: 4 }), { maxLength: 8 });

describe('the sum of rows', () => {
  it('is the same for the same rows in any order', () => {
    fc.assert(fc.property(rows, (some) => expect(sumOf(some.toReversed())).toBe(sumOf(some))));
  });

  it('differs with other rows, one more, one fewer, and one twice', () => {
    const sorted = (some: readonly unknown[]) => some.map((row) => JSON.stringify(row)).sort();
    fc.assert(
      fc.property(rows, rows, (some, others) => {
        const same = JSON.stringify(sorted(some)) === JSON.stringify(sorted(others));
        expect(sumOf(some) === sumOf(others)).toBe(same);
      }),
    );
    expect(sumOf([['1'], ['1'], ['2']])).not.toBe(sumOf([['1'], ['2'], ['2']]));
    // Value boundaries count, and null is not an empty text.
    expect(sumOf([['ab', 'c']])).not.toBe(sumOf([['a', 'bc']]));
    expect(sumOf([[null]])).not.toBe(sumOf([['']]));
  });

  it('depends on its key', () => {
    expect(sumOf([['1']], 'a')).not.toBe(sumOf([['1']], 'b'));
  });
});
