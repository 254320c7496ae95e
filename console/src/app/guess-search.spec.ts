import { describe, expect, it } from '@jest/globals';
import { guessSearch } from './guess-search.js';

describe('the search field', () => {
  it.each<[string, Record<string, string>]>([
    ['E1234567820261120140400101234567', { endToEndId: 'E1234567820261120140400101234567' }],
    ['0199D1F0-7c3b-7001-8b1c-0d2e4f6a8c9b', { id: '0199d1f0-7c3b-7001-8b1c-0d2e4f6a8c9b' }],
    ['123.456.789-09', { taxNumber: '12345678909' }],
    ['11.222.333/0001-81', { taxNumber: '11222333000181' }],
    ['12abc34501de35', { taxNumber: '12ABC34501DE35' }],
    ['1.234,50', { amount: '1234.50' }],
    ['10.5', { amount: '10.50' }],
    ['R$ 10', { amount: '10.00' }],
    ['20/11/2026', { from: '2026-11-20', to: '2026-11-20' }],
    ['completed', { state: 'Completed' }],
    ['order-1', { orderId: 'order-1' }],
    ['1234', { orderId: '1234' }],
  ])('takes %s for what it looks like', (typed, filters) => {
    expect(guessSearch(typed)).toEqual(filters);
  });
});
