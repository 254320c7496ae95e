import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatAmount, parseAmount, smaller } from './money.js';

describe('an amount', () => {
  it.each([
    ['10', 1000n],
    ['10.5', 1050n],
    ['10.50', 1050n],
    ['0.01', 1n],
    ['-5.00', -500n],
    ['0009999999999.99', 999_999_999_999n],
    ['9999999999999.99', 999_999_999_999_999n],
    ['10000000000000', undefined],
    ['1,5', undefined],
    ['+1', undefined],
    ['1e2', undefined],
    [' 1', undefined],
    ['1.', undefined],
    ['.5', undefined],
    ['1.005', undefined],
    ['١', undefined],
  ])('%j is %p centavos', (text, centavos) => expect(parseAmount(text)).toBe(centavos));

  it.each([
    [0n, '0.00'],
    [5n, '0.05'],
    [-5n, '-0.05'],
    [100n, '1.00'],
    [-123_456n, '-1234.56'],
  ])('%p is written as %j', (centavos, text) => expect(formatAmount(centavos)).toBe(text));

  it.each([
    [1n, 2n],
    [2n, 1n],
    [1n, 1n],
  ])('of %p and %p the smaller one is 1', (one, other) => expect(smaller(one, other)).toBe(1n));

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.bigInt(-999_999_999_999_999n, 999_999_999_999_999n), (centavos) => {
        expect(parseAmount(formatAmount(centavos))).toBe(centavos);
      }),
    );
  });
});
