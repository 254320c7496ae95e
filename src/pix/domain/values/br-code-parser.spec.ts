import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { brCodeFaultOf as faultOf } from '../../../../test/support/br-code-fault.js';
import { pixVectors } from '../../../../test/support/pix-vectors.js';
import { FrameReader, toFrame } from '../../../platform/workers/wire.js';
import { BrCodeFault, parseBrCode } from './br-code.js';
import type { ParsedStaticBrCode } from './parsed-br-code.js';
import { withChecksum } from './br-code-encoder.js';
import { encodeField } from './emv-tlv.js';

const [STATIC = '', DYNAMIC = ''] = pixVectors.brCodes.valid;
const location = 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441';
const merchant = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' };

/** A static code from its fields, so that each spec can break one of them. `''` leaves a field out. */
function code(changes: Record<string, string> = {}): string {
  const fields: Record<string, string> = {
    pix: encodeField('26', '0014br.gov.bcb.pix0114pix@bcb.gov.br'),
    '52': '52040000',
    '53': '5303986',
    '54': '',
    '58': '5802BR',
    '59': '5913Fulano de Tal',
    '60': '6008BRASILIA',
    '62': '62070503***',
    ...changes,
  };
  return withChecksum(
    `${fields['00'] ?? '000201'}${fields['01'] ?? ''}${['pix', '52', '53', '54', '58', '59', '60', '62', 'more'].map((id) => fields[id] ?? '').join('')}`,
  );
}

const pix = (...fields: string[]) => ({ pix: encodeField('26', `0014br.gov.bcb.pix${fields.join('')}`) });
describe('parseBrCode', () => {
  it.each(pixVectors.brCodes.valid)('reads %s', (text) => {
    const parsed = parseBrCode(text);
    expect(parsed.merchantName).not.toBe('');
    expect(parsed.merchantCategory).toBe('0000');
  });

  it.each(pixVectors.brCodes.invalid)('refuses a code for its $why', ({ code: text, why }) => {
    const expected = why === 'checksum' ? BrCodeFault.Checksum : BrCodeFault.Currency;
    expect(faultOf(() => parseBrCode(text))).toBe(expected);
  });

  it('reads the key, the amount and the merchant of a static code', () => {
    expect(parseBrCode(pixVectors.brCodes.valid[2] ?? '')).toEqual({
      kind: 'Static',
      key: 'cliente-a00001@pix.bcb.gov.br',
      merchantName: 'JOAO SILVA',
      merchantCity: 'BELO HORIZONTE',
      merchantCategory: '0000',
      oneTime: false,
      amount: 12_345n,
    });
  });

  it.each([
    ['', false],
    ['010211', false],
    ['010212', true],
  ])('tells by the point of initiation %j whether a code is paid once: %p', (initiation, oneTime) => {
    expect(parseBrCode(code({ '01': initiation })).oneTime).toBe(oneTime);
  });

  it('reads a static code without a txid, and one of 512 characters', () => {
    const { txid, ...read } = parseBrCode(code({ '62': '' })) as ParsedStaticBrCode;
    expect([txid, read]).toEqual([undefined, parseBrCode(code())]);
    const longest = [99, 99, 99].map((length, i) => encodeField(`8${i}`, 'x'.repeat(length))).join('');
    const room = 512 - code({ more: longest }).length - 4;
    const text = code({ more: `${longest}${encodeField('83', 'x'.repeat(room))}` });
    expect([text.length, parseBrCode(text).kind]).toEqual([512, 'Static']);
  });

  it('reads the location of a dynamic code', () => {
    expect(parseBrCode(DYNAMIC)).toEqual({
      kind: 'Dynamic',
      location,
      ...merchant,
      merchantCategory: '0000',
      oneTime: true,
    });
  });

  it('reads the optional fields of a static code', () => {
    const text = code({
      ...pix('0114pix@bcb.gov.br', '0206Pedido', '030812345678'),
      '62': encodeField('62', '0506Order1'),
      more: '610870074900',
    });
    expect(parseBrCode(text)).toMatchObject({
      information: 'Pedido',
      withdrawalFacilitator: '12345678',
      txid: 'Order1',
      postalCode: '70074900',
    });
    const letters = code({ ...pix('0114pix@bcb.gov.br', '0308ab12cd34') });
    expect(parseBrCode(letters)).toMatchObject({ withdrawalFacilitator: 'AB12CD34' });
  });

  it('finds the Pix template anywhere from 26 to 51, beside those of other arrangements', () => {
    const other = encodeField('26', encodeField('00', 'com.example'));
    const malformed = encodeField('27', 'not fields');
    const late = encodeField('51', '0014BR.gov.BCB.pix0114pix@bcb.gov.br');
    expect(parseBrCode(code({ pix: other + malformed + late }))).toMatchObject({
      kind: 'Static',
      key: 'pix@bcb.gov.br',
    });
    expect(faultOf(() => parseBrCode(code({ pix: encodeField('25', '0014br.gov.bcb.pix0101a') })))).toBe(
      BrCodeFault.Gui,
    );
  });

  it('reads the recurrence of Pix Automático, with a payment and alone', () => {
    const recurrence = encodeField('80', `0014br.gov.bcb.pix${encodeField('25', 'pix.example.com/rec/1')}`);
    const other = encodeField('81', `0011com.example0101x`);
    expect(parseBrCode(code({ more: recurrence + other }))).toMatchObject({
      kind: 'Static',
      recurrenceLocation: 'pix.example.com/rec/1',
    });
    expect(parseBrCode(code({ ...pix(), more: recurrence }))).toMatchObject({
      kind: 'Recurrence',
      recurrenceLocation: 'pix.example.com/rec/1',
    });
    expect(
      faultOf(() => parseBrCode(code({ more: recurrence.replace('pix.example.com/rec/1', 'ftp://example.com/rec') }))),
    ).toBe(BrCodeFault.Location);
  });

  it('is data, which goes to the worker that pays the code', () => {
    const other = encodeField('81', `0011com.example0101x`);
    const parsed = parseBrCode(code({ more: other }));
    expect(new FrameReader().read(toFrame(parsed))).toEqual([parsed]);
  });

  it('tolerates unknown fields, unreserved ones that are no templates, and space around the code', () => {
    expect(parseBrCode(`\n ${code({ more: '6405other9003???' })} \r\n`)).toMatchObject({
      kind: 'Static',
    });
  });

  it('ignores the txid of a dynamic code, which the payload replaces', () => {
    const text = code({
      ...pix(encodeField('25', location)),
      '62': encodeField('62', encodeField('05', 'a'.repeat(32))),
    });
    expect(parseBrCode(text)).toMatchObject({ kind: 'Dynamic', location });
  });

  it.each<[string, Record<string, string>, BrCodeFault]>([
    ['a wrong payload format', { '00': '000202' }, BrCodeFault.PayloadFormat],
    ['another field before the payload format', { '00': '010211000201' }, BrCodeFault.PayloadFormat],
    ['an unknown point of initiation', { '01': '010213' }, BrCodeFault.PointOfInitiation],
    ['no Pix template', { pix: encodeField('26', '0011com.example') }, BrCodeFault.Gui],
    [
      'two Pix templates',
      { pix: `${encodeField('26', '0014br.gov.bcb.pix0101a')}${encodeField('27', '0014br.gov.bcb.pix0101a')}` },
      BrCodeFault.Duplicate,
    ],
    ['a malformed Pix template', pix('0199abc'), BrCodeFault.Length],
    ['a key twice', pix('0101a', '0101a'), BrCodeFault.Duplicate],
    ['key and location', pix('0101a', encodeField('25', location)), BrCodeFault.KeyOrLocation],
    ['neither key nor location', pix(), BrCodeFault.KeyOrLocation],
    ['a location with its scheme', pix(encodeField('25', `https://${location}`)), BrCodeFault.Location],
    ['a facilitator that is no ISPB', pix('0101a', '0303abc'), BrCodeFault.WithdrawalFacilitator],
    ['no category', { '52': '' }, BrCodeFault.MerchantCategory],
    ['no currency', { '53': '' }, BrCodeFault.Currency],
    ['the dollar', { '53': '5303840' }, BrCodeFault.Currency],
    ['an amount with a comma', { '54': '540510,00' }, BrCodeFault.Amount],
    ['an amount with three decimals', { '54': '54051.005' }, BrCodeFault.Amount],
    ['an amount that ends in its point', { '54': '540310.' }, BrCodeFault.Amount],
    ['a negative amount', { '54': '5405-1.00' }, BrCodeFault.Amount],
    ['another country', { '58': '5802PT' }, BrCodeFault.Country],
    ['no name', { '59': '' }, BrCodeFault.MerchantName],
    ['a name that is too long', { '59': encodeField('59', 'a'.repeat(26)) }, BrCodeFault.MerchantName],
    ['no city', { '60': '' }, BrCodeFault.MerchantCity],
    ['a city that is too long', { '60': encodeField('60', 'a'.repeat(16)) }, BrCodeFault.MerchantCity],
    ['a txid with a hyphen', { '62': '62070503a-b' }, BrCodeFault.Txid],
    ['a txid that is too long', { '62': encodeField('62', encodeField('05', 'a'.repeat(26))) }, BrCodeFault.Txid],
    ['a currency twice', { more: '5303986' }, BrCodeFault.Duplicate],
    ['a second checksum field', { more: '6304ABCD' }, BrCodeFault.Duplicate],
    ['a field that runs past the end', { more: '6499abc' }, BrCodeFault.Length],
    [
      'a text of more than 512 characters',
      { more: ['90', '91', '92', '93', '94'].map((id) => encodeField(id, 'a'.repeat(99))).join('') },
      BrCodeFault.Length,
    ],
  ])('refuses %s, the checksum being right', (_, changes, fault) => {
    expect(faultOf(() => parseBrCode(code(changes)))).toBe(fault);
  });

  it('refuses a checksum that is hidden in the value of the last field', () => {
    const covered = `${code().slice(0, -8)}64096304`;
    const text = withChecksum(covered.slice(0, -4) + 'a');
    expect(faultOf(() => parseBrCode(text))).toBe(BrCodeFault.Checksum);
  });

  it.each<[string, bigint]>([
    ['54010', 0n],
    ['540210', 1_000n],
    ['540410.5', 1_050n],
    ['54139999999999.99', 999_999_999_999n],
  ])('reads the amount field %s as %s centavos', (field, amount) => {
    expect(parseBrCode(code({ '54': field })).amount).toBe(amount);
  });

  it('wants the checksum, and in capitals', () => {
    expect(faultOf(() => parseBrCode(''))).toBe(BrCodeFault.Checksum);
    expect(faultOf(() => parseBrCode(STATIC.slice(0, -8)))).toBe(BrCodeFault.Checksum);
    expect(faultOf(() => parseBrCode(STATIC.slice(0, -4) + STATIC.slice(-4).toLowerCase()))).toBe(BrCodeFault.Checksum);
  });

  it('refuses a code with any one character changed, lost or swapped with its neighbour', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...pixVectors.brCodes.valid),
        fc.nat(),
        fc.integer({ min: 0x20, max: 0x7e }),
        (text, place, character) => {
          const at = place % text.length;
          const [before, here, next, after] = [
            text.slice(0, at),
            text.slice(at, at + 1),
            text.slice(at + 1, at + 2),
            text.slice(at + 2),
          ];
          const changed = before + String.fromCharCode(character) + next + after;
          if (changed !== text) expect(faultOf(() => parseBrCode(changed))).toBeDefined();
          expect(faultOf(() => parseBrCode(before + next + after))).toBeDefined();
          if (here !== next && next !== '')
            expect(faultOf(() => parseBrCode(before + next + here + after))).toBeDefined();
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('throws nothing but BrCodeError, whatever the text', () => {
    const fields = fc.array(
      fc.tuple(fc.integer({ min: 10, max: 99 }).map(String), fc.string({ minLength: 1, maxLength: 12 })),
      { maxLength: 8 },
    );
    const nearly = fields.map((list) =>
      withChecksum(`000201${list.map(([id, value]) => encodeField(id, value)).join('')}53039865802BR`),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), nearly), (text) => {
        expect(faultOf(() => parseBrCode(text))).toBeDefined();
      }),
    );
  });
});
