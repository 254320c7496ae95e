import { describe, expect, it } from '@jest/globals';
import type { PixKey } from '../../domain/values/pix-key.js';
import { endingOf, lookUp } from './script.js';

describe('script of the sandbox', () => {
  it.each([
    [1n, { status: 'Settled' }],
    [1_000n, { status: 'Settled' }],
    [1_095n, { status: 'Settled' }],
    [96n, { status: 'Settled', sentBack: 48n }],
    [1_096n, { status: 'Settled', sentBack: 548n }],
    [97n, { status: 'Rejected', code: 'AC07' }],
    [123_497n, { status: 'Rejected', code: 'AC07' }],
    [1_098n, undefined],
    [1_099n, { status: 'Returned', code: 'BE08' }],
  ])('lets a payment of %p centavos end as scripted', (amount, ending) => {
    expect(endingOf(amount)).toEqual(ending);
  });

  it.each<PixKey>([
    { type: 'EMAIL', value: 'fulano+notfound@example.com' },
    { type: 'EVP', value: '00000000-0000-0000-0000-000000000404' },
  ])('does not know the key $value', (key) => {
    expect(lookUp(key)).toEqual({ found: false });
  });

  it('names an account only for the key that belongs to another', () => {
    const anothers = lookUp({ type: 'EVP', value: '00000000-0000-0000-0000-000000000409' });
    expect(anothers).toMatchObject({ found: true, owner: { branch: '0409' } });
    expect(lookUp({ type: 'EMAIL', value: 'fulano@example.com' })).toEqual({ found: true, owner: {} });
    expect(lookUp({ type: 'PHONE', value: '+5561990000100' })).toEqual({ found: true, owner: {} });
  });
});
