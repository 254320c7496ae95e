import { describe, expect, it } from '@jest/globals';
import { centavosOf, formatCount, formatMoney, formatShare, fromCentavos, parseMoney } from './money.js';

describe('money', () => {
  it('is written as in Brazil, exactly, at any size', () => {
    expect(formatMoney('0.00')).toBe('R$\u00a00,00');
    expect(formatMoney('1234.5')).toBe('R$\u00a01.234,50');
    expect(formatMoney('-10.00')).toBe('-R$\u00a010,00');
    expect(formatMoney('9999999999999.99')).toBe('R$\u00a09.999.999.999.999,99');
    expect(formatMoney('<b>')).toBe('<b>');
  });

  it('of postings is in centavos', () => {
    expect(['0', '5', '-5', '1050', '-98950'].map(fromCentavos)).toEqual(['0.00', '0.05', '-0.05', '10.50', '-989.50']);
    expect(centavosOf('-10.5')).toBe(-1050n);
    expect(centavosOf(fromCentavos('123456789012345'))).toBe(123456789012345n);
  });

  it('is read as people type it', () => {
    expect(['1.234,50', '1234,5', '1234.50', 'R$ 10', '0,01', '1.234'].map(parseMoney)).toEqual([
      '1234.50',
      '1234.50',
      '1234.50',
      '10.00',
      '0.01',
      '1234.00',
    ]);
    expect(['', 'abc', '1,234', '-5', '1e3', '1,2,3'].map(parseMoney)).toEqual([null, null, null, null, null, null]);
  });

  it.each(['1234.567', '0.500', '1.23,45', '12.34.567', '1..234', '12345678901234', '1.2345'])(
    'is not made of what is no amount: %s',
    (typed) => {
      expect(parseMoney(typed)).toBeNull();
    },
  );

  it('counts with thousands', () => {
    expect([0, 999, 1000, 1_000_000, '12.5'].map(formatCount)).toEqual(['0', '999', '1.000', '1.000.000', '12,5']);
    expect([0.9231, 1, 0, null].map(formatShare)).toEqual(['92,3 %', '100,0 %', '0,0 %', '–']);
  });
});
