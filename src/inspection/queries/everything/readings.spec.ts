import { describe, expect, it } from '@jest/globals';
import { accountNumberOf, amountOf, readingsOf } from './readings.js';

const ID = '0199d1f0-7c3b-7001-8b1c-0d2e4f6a8c9b';

describe('the possible meanings of a pasted text', () => {
  it.each([
    ID,
    ID.toUpperCase(),
    ID.replaceAll('-', ''),
    `"${ID}",`,
    `{${ID}}`,
    `id=${ID}`,
    `https://pix.exemplo.br/console/transactions/${ID}?tab=x`,
    `00020126580014br.gov.bcb.pix2536pix.exemplo.br/pix/v2/${ID.replaceAll('-', '')}5204`,
  ])('an identifier: %s', (text) => expect(readingsOf(text).ids).toEqual([ID]));

  it.each(['0d2e4f6a8c9b', '…0d2e4f6a8c9b', '...0D2E4F6A8C9B'])('the end of one: %s', (text) =>
    expect(readingsOf(text).tail).toBe('0d2e4f6a8c9b'),
  );

  it.each([
    ['10045.90', '10045.90'],
    ['10.045,90', '10045.90'],
    ['10,045.90', '10045.90'],
    ['R$ 10.045,9', '10045.90'],
    ['-R$\u00a010,50', '10.50'],
    ['1.000', '1000.00'],
    ['150', '150.00'],
    ['1.2.3', undefined],
    ['52998224725', undefined],
    ['10.50.', undefined],
  ])('an amount: %s', (text, amount) => expect(amountOf(text)).toBe(amount));

  it.each([
    ['0001 / 100001-4', '1000014'],
    ['100001-4', '1000014'],
    ['1000014', '1000014'],
    ['100001', '100001'],
    ['ag 0001 cc 100001-4', '1000014'],
    ['pedido 7', undefined],
  ])('the number of an account: %s', (text, number) => expect(accountNumberOf(text)).toBe(number));

  it('no number in a long text, found at once', () => {
    const text = (scale: number) => `0001${' '.repeat(165 * scale)}c${'a'.repeat(328 * scale)}!z`;
    const least = (scale: number) => {
      const took = Array.from({ length: 20 }, () => {
        const began = performance.now();
        expect(readingsOf(text(scale)).accountNumber).toBeUndefined();
        return performance.now() - began;
      });
      return Math.min(...took);
    };
    least(1);
    // All ways to divide spaces and letters are eight times as many in one of twice the length.
    expect(least(2) / least(1)).toBeLessThan(5);
  });

  it.each(['529.982.247-25', '52998224725', 'CPF: 529.982.247-25', ' 529 982 247 25 '])('a tax number: %s', (text) =>
    expect(readingsOf(text).taxNumber).toBe('52998224725'),
  );

  it('a name, without case and accents; and always an order', () => {
    expect(readingsOf('LIVRARIA  ipe')).toMatchObject({ words: ['livraria', 'ipe'], orderIds: ['LIVRARIA  ipe'] });
    expect(readingsOf('Livraria Ipê Ltda').words).toEqual(['livraria', 'ipe', 'ltda']);
    expect(readingsOf('orderId: loja-77')).toMatchObject({ orderIds: ['orderId: loja-77', 'loja-77'] });
    expect(readingsOf('11222333000181')).toMatchObject({
      taxNumber: '11222333000181',
      orderIds: ['11222333000181'],
      amount: undefined,
    });
  });
});
