import { describe, expect, it } from '@jest/globals';
import { fromCentavos, toCentavos } from './money.js';

describe('amounts', () => {
  it.each([
    ['0.01', 1n],
    ['10.50', 1_050n],
    ['-25.00', -2_500n],
    ['9999999999999.99', 999_999_999_999_999n],
    // The largest balance.
    ['92233720368547758.07', 2n ** 63n - 1n],
  ])('%s is %s centavos, both ways', (text, centavos) => {
    expect(toCentavos(text)).toBe(centavos);
    expect(fromCentavos(centavos)).toBe(text);
  });

  it('may be written without decimals, as requests may', () => {
    expect([toCentavos('10'), toCentavos('10.5')]).toEqual([1_000n, 1_050n]);
  });

  it.each(['', '1,00', '1.000', '1e3', ' 1.00', '+1.00'])('%j is none', (text) => {
    expect(() => toCentavos(text)).toThrow(RangeError);
  });
});
