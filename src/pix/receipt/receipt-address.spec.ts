import { describe, expect, it } from '@jest/globals';
import { isReceiptToken, receiptAddress } from './receipt-address.js';

const ID = '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e';

describe('address of a receipt', () => {
  it('is below the public address and ends with the token', () => {
    expect(receiptAddress('https://pix.exemplo.br', ID, 'abc')).toBe(`https://pix.exemplo.br/pix/receipts/${ID}/abc`);
  });

  it.each([
    ['abcdef', true],
    ['abcdeg', false],
    ['abcde', false],
    ['abcdefg', false],
    ['', false],
    ['ABCDEF', false],
  ])('takes its own token and no other: %s', (given, taken) => {
    expect(isReceiptToken(given, 'abcdef')).toBe(taken);
  });
});
