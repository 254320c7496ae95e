import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { brCodeFaultOf as faultOf } from '../../../../test/support/br-code-fault.js';
import { pixVectors } from '../../../../test/support/pix-vectors.js';
import { BrCodeFault, encodeDynamicBrCode, parseBrCode } from './br-code.js';

const [, DYNAMIC = ''] = pixVectors.brCodes.valid;
const location = 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441';
const merchant = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' };

const label = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
  minLength: 1,
  maxLength: 20,
});
const anyLocation = fc
  .tuple(label, label, fc.array(label, { maxLength: 2 }))
  .map(([host, domain, path]) => [`${host}.${domain}.br`, ...path].join('/'))
  .filter((text) => text.length <= 77);
const printable = fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map((text) => `A${text}`);
const centavos = fc.bigInt({ min: 1n, max: 9_999_999_999_99n });

describe('encodeDynamicBrCode', () => {
  it('writes the dynamic code of the vectors', () => {
    expect(encodeDynamicBrCode({ location, ...merchant })).toBe(DYNAMIC);
  });

  it('reads back with its location, merchant and amount', () => {
    fc.assert(
      fc.property(
        anyLocation,
        printable,
        printable,
        fc.option(centavos, { nil: undefined }),
        (address, name, city, amount) => {
          const text = encodeDynamicBrCode({ location: address, merchantName: name, merchantCity: city, amount });
          const plain = (value: string, maximum: number) =>
            value.replace(/ +/g, ' ').trim().slice(0, maximum).trimEnd();
          expect(text).toMatch(/^000201010212[\x20-\x7e]+62070503\*\*\*6304[0-9A-F]{4}$/);
          expect(parseBrCode(text)).toEqual({
            kind: 'Dynamic',
            location: address,
            merchantName: plain(name, 25),
            merchantCity: plain(city, 15),
            merchantCategory: '0000',
            oneTime: true,
            amount,
          });
        },
      ),
    );
  });

  it('writes any text that has a letter in ASCII, within the lengths', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const parsed = parseBrCode(
          encodeDynamicBrCode({ location, merchantName: `A${text}`, merchantCity: `B${text}` }),
        );
        expect(parsed.merchantName).toMatch(/^A[\x20-\x7e]{0,24}$/);
        expect(parsed.merchantCity).toMatch(/^B[\x20-\x7e]{0,14}$/);
      }),
    );
  });

  it('writes names without accents', () => {
    const parsed = parseBrCode(
      encodeDynamicBrCode({
        location,
        merchantName: ' Açaí  &\tPão d’Água Ørsted – ß Ltda',
        merchantCity: 'São João del-Rei',
      }),
    );
    expect(parsed).toMatchObject({ merchantName: "Acai & Pao d'Agua Orsted", merchantCity: 'Sao Joao del-Re' });
  });

  it('writes the amount with two decimals', () => {
    expect(encodeDynamicBrCode({ location, ...merchant, amount: 1n })).toContain('530398654040.015802BR');
    expect(encodeDynamicBrCode({ location, ...merchant, amount: 1_000n })).toContain('5303986540510.005802BR');
  });

  it.each([0n, -1n, 10_000_000_000_00n])('refuses the amount %s', (amount) => {
    expect(faultOf(() => encodeDynamicBrCode({ location, ...merchant, amount }))).toBe(BrCodeFault.Amount);
  });

  it.each([
    '',
    `https://${location}`,
    'pix.example.com/a b',
    'pix.example.com/ã',
    '/path',
    'pix.example.com/%zz',
    `a.br/${'a'.repeat(73)}`,
  ])('refuses the location %j', (address) => {
    expect(faultOf(() => encodeDynamicBrCode({ location: address, ...merchant }))).toBe(BrCodeFault.Location);
  });

  it.each([`a.br/${'a'.repeat(72)}`, '127.0.0.1:3000/pix/qr/1', 'localhost:3000', '[::1]:3000/pix'])(
    'takes the location %s',
    (address) => {
      expect(parseBrCode(encodeDynamicBrCode({ location: address, ...merchant }))).toMatchObject({ location: address });
    },
  );

  it('refuses a merchant of whom nothing is left in ASCII', () => {
    expect(faultOf(() => encodeDynamicBrCode({ location, ...merchant, merchantName: ' 株式会社 ' }))).toBe(
      BrCodeFault.MerchantName,
    );
    expect(faultOf(() => encodeDynamicBrCode({ location, ...merchant, merchantCity: '' }))).toBe(
      BrCodeFault.MerchantCity,
    );
  });
});
