import { describe, expect, it } from '@jest/globals';
import { formatBankAccount, formatTaxNumber, plainTaxNumber } from './tax-number.js';

describe('tax numbers', () => {
  it('are written with their marks', () => {
    expect(formatTaxNumber('12345678909')).toBe('123.456.789-09');
    expect(formatTaxNumber('11222333000181')).toBe('11.222.333/0001-81');
    expect(formatTaxNumber('12ABC34501DE35')).toBe('12.ABC.345/01DE-35');
    expect(formatTaxNumber('')).toBe('');
  });

  it('are read with or without them', () => {
    expect(plainTaxNumber(' 11.222.333/0001-81 ')).toBe('11222333000181');
    expect(plainTaxNumber('12.abc.345/01de-35')).toBe('12ABC34501DE35');
  });

  it('stand beside bank accounts', () => {
    expect(formatBankAccount('0001', '100001', '4')).toBe('0001 / 100001-4');
    expect(formatBankAccount('0001', '1000014', '')).toBe('0001 / 1000014');
  });
});
