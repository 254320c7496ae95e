import { describe, expect, it } from '@jest/globals';
import { readFilters, toQuery } from './filters.js';

describe('the filters of transactions', () => {
  it('are read from a URL', () => {
    const search = new URLSearchParams('?state=Error&orderId=&amount=1.234,50&tab=x&from=2026-11-20');
    expect(readFilters(search)).toEqual({ state: 'Error', amount: '1.234,50', from: '2026-11-20' });
  });

  it('are sent in the formats of the service, the last day included', () => {
    const filters = { amount: '1.234,50', taxNumber: '123.456.789-09', from: '2026-11-20', to: '2026-11-20' };
    expect(toQuery(filters)).toEqual({
      amount: '1234.50',
      taxNumber: '12345678909',
      from: '2026-11-20T03:00:00.000Z',
      to: '2026-11-21T03:00:00.000Z',
    });
  });

  it('are sent as they are when they are invalid', () => {
    expect(toQuery({ amount: 'ten', from: 'yesterday' })).toEqual({ amount: 'ten', from: 'yesterday' });
  });
});
