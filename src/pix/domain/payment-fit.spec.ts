import { describe, expect, it } from '@jest/globals';
import { misfitOf, unverifiable } from './payment-fit.js';

const account = { ispb: '60701190', branch: '0001', number: '123456', digit: '7', type: 'CheckingsAccount' as const };
const validationAccounts = [{ ispb: '60701190', branch: '0001', number: '1234567' }];
const taxNumber = '52998224725';

describe('a rail that does not fully identify the payer', () => {
  it.each([
    ['ByAccount', { taxNumber, account }, undefined],
    ['ByTaxNumber', { taxNumber }, undefined],
    ['ByTaxNumber', { taxNumber, account }, 'account'],
    ['ByTaxNumber', { validationAccounts }, 'validationAccounts'],
    ['No', {}, undefined],
    ['No', { taxNumber, account }, 'cpf'],
    ['No', { account }, 'account'],
  ] as const)('identifies payers %s: of %j it cannot check %s', (identifies, expected, member) => {
    expect(unverifiable({ name: '', ...expected }, identifies)).toBe(member);
  });

  it.each([
    ['tax number', { taxNumber }, {}],
    ['account', { account }, { taxNumber }],
    ['validation account', { validationAccounts }, { ispb: '60701190' }],
  ])('leaves an expected %s unproven: the payment does not fit', (_, expected, payer) => {
    const payment = { amount: 1n, payer };
    expect(misfitOf({ amount: 1n, payer: { name: '', ...expected } }, payment)).toBe('PayerCannotBeVerified');
  });

  it('is enough where nothing is expected of the payer', () => {
    expect(misfitOf({ amount: 1n, payer: undefined }, { amount: 1n, payer: {} })).toBeUndefined();
    expect(misfitOf({ amount: 1n, payer: { name: 'Maria' } }, { amount: 1n, payer: {} })).toBeUndefined();
  });
});
