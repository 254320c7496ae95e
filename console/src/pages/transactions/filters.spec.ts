import { describe, expect, it } from '@jest/globals';
import { readFilters, toQuery } from './filters.js';

describe('the filters of transactions', () => {
  it('are what an address has of them', () => {
    const search = new URLSearchParams('?state=Error&orderId=&amount=1.234,50&tab=x&from=2026-11-20');
    expect(readFilters(search)).toEqual({ state: 'Error', amount: '1.234,50', from: '2026-11-20' });
  });

  it('go to the service in its own forms, days in whole', () => {
    const filters = { amount: '1.234,50', taxNumber: '123.456.789-09', from: '2026-11-20', to: '2026-11-20' };
    expect(toQuery(filters)).toEqual({
      amount: '1234.50',
      taxNumber: '12345678909',
      from: '2026-11-20T03:00:00.000Z',
      to: '2026-11-21T03:00:00.000Z',
    });
  });

  it('that cannot be read go as they are', () => {
    expect(toQuery({ amount: 'ten', from: 'yesterday' })).toEqual({ amount: 'ten', from: 'yesterday' });
  });
});
