import * as brazilianUtils from '@brazilian-utils/brazilian-utils';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as pixUtils from 'pix-utils';
import { BrCodeFault, encodeDynamicBrCode, parseBrCode } from '../../src/pix/domain/values/br-code.js';
import { brCodeFaultOf } from '../support/br-code-fault.js';
import { pixVectors } from '../support/pix-vectors.js';

/** Lets two independent libraries judge our BR Codes, and lets ours read theirs. */
const label = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'),
  minLength: 1,
  maxLength: 20,
});
// Without a port, which one of the oracles refuses.
const anyLocation = fc
  .tuple(label, label, fc.uuid())
  .map(([host, path, id]) => `${host}.br/${path}/${id}`)
  .filter((text) => text.length <= 77);
// In capitals, because one of the oracles writes names and cities so.
const text = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'), minLength: 1, maxLength });
const anyCharge = fc.record({ location: anyLocation, merchantName: text(25), merchantCity: text(15) });
const centavos = fc.integer({ min: 1, max: 99_999_999_99 });

/** What `pix-utils` reads, as plain data; its failures are values. */
function readByPixUtils(code: string) {
  const parsed = pixUtils.parsePix(code);
  return pixUtils.hasError(parsed) ? undefined : parsed;
}

describe('our dynamic codes', () => {
  it('are the ones that both oracles write for the same charge', () => {
    fc.assert(
      fc.property(anyCharge, ({ location: url, merchantName, merchantCity }) => {
        const ours = encodeDynamicBrCode({ location: url, merchantName, merchantCity });
        expect(brazilianUtils.generatePixPayload({ url, merchantName, merchantCity })).toBe(ours);
        const theirs = pixUtils.createDynamicPix({ url, merchantName, merchantCity, oneTime: true });
        expect(pixUtils.hasError(theirs) ? theirs.message : theirs.toBRCode()).toBe(ours);
      }),
    );
  });

  it('are read by both oracles, with and without an amount', () => {
    fc.assert(
      fc.property(anyCharge, fc.option(centavos, { nil: undefined }), (charge, amount) => {
        const code = encodeDynamicBrCode({ ...charge, amount: amount === undefined ? undefined : BigInt(amount) });
        const { location: url, merchantName, merchantCity } = charge;
        expect(brazilianUtils.getPixPayloadInfo(code)).toEqual({
          url,
          merchantName,
          merchantCity,
          pointOfInitiation: 'dynamic',
        });
        expect(readByPixUtils(code)).toMatchObject({ type: 'DYNAMIC', url, merchantName, merchantCity });
      }),
    );
  });

  it('are refused by both oracles, and by us, with any one character changed', () => {
    fc.assert(
      fc.property(anyCharge, fc.nat(), label, (charge, place, letters) => {
        const code = encodeDynamicBrCode(charge);
        const at = place % code.length;
        const changed = code.slice(0, at) + letters.charAt(0) + code.slice(at + 1);
        // A checksum in small letters is the one damage on which readers differ.
        fc.pre(changed.toUpperCase() !== code.toUpperCase());
        expect(brazilianUtils.isValidPixPayload(changed)).toBe(false);
        expect(readByPixUtils(changed)).toBeUndefined();
        expect(brCodeFaultOf(() => parseBrCode(changed))).toBeDefined();
      }),
    );
  });

  it.each(['São João del-Rei', 'Conceição do Mato Dentro'])('carry %s in a form that both oracles read', (place) => {
    const charge = { location: 'pix.example.com/qr/1', merchantName: place, merchantCity: place };
    const code = encodeDynamicBrCode(charge);
    const { merchantName, merchantCity } = parseBrCode(code);
    expect(brazilianUtils.getPixPayloadInfo(code)).toMatchObject({ merchantName, merchantCity });
    expect(readByPixUtils(code)).toMatchObject({ merchantName, merchantCity });
  });
});

describe('the static codes of the oracles', () => {
  const anyStatic = fc.record({
    key: fc.constantFrom(...pixVectors.keys.valid.map(([, key]) => key)),
    merchantName: text(25),
    merchantCity: text(15),
    amount: centavos,
    txid: text(25),
    information: text(20),
  });

  it('are read by us as they were meant', () => {
    fc.assert(
      fc.property(anyStatic, ({ key, merchantName, merchantCity, amount, txid, information }) => {
        const meant = { kind: 'Static', key, merchantName, merchantCity, txid, information, amount: BigInt(amount) };
        const payee = { merchantName, merchantCity, txid };
        const one = brazilianUtils.generatePixPayload({
          ...payee,
          key,
          description: information,
          amount: amount / 100,
        });
        expect(one && parseBrCode(one)).toMatchObject(meant);
        const other = pixUtils.createStaticPix({
          ...payee,
          pixKey: key,
          infoAdicional: information,
          transactionAmount: amount / 100,
        });
        expect(pixUtils.hasError(other) ? other.message : parseBrCode(other.toBRCode())).toMatchObject(meant);
      }),
    );
  });

  it('of Pix Automático are read with the address of their recurrence', () => {
    const payee = { merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA', urlRec: 'pix.example.com/rec/1' };
    const composed = pixUtils.createDynamicPix({ ...payee, url: 'pix.example.com/qr/1' });
    const alone = pixUtils.createRecurrencePix(payee);
    expect(pixUtils.hasError(composed) ? composed.message : parseBrCode(composed.toBRCode())).toMatchObject({
      kind: 'Dynamic',
      location: 'pix.example.com/qr/1',
      recurrenceLocation: 'pix.example.com/rec/1',
    });
    expect(pixUtils.hasError(alone) ? alone.message : parseBrCode(alone.toBRCode())).toMatchObject({
      kind: 'Recurrence',
      recurrenceLocation: 'pix.example.com/rec/1',
    });
  });
});

describe('the vectors', () => {
  it.each(pixVectors.brCodes.valid)('%s is valid for the oracles too', (code) => {
    expect(brazilianUtils.isValidPixPayload(code)).toBe(true);
    expect(readByPixUtils(code)).toBeDefined();
  });

  it.each(pixVectors.brCodes.invalid)('a code with a wrong $why is invalid for the stricter oracle too', ({ code }) => {
    expect(brazilianUtils.isValidPixPayload(code)).toBe(false);
    expect([BrCodeFault.Checksum, BrCodeFault.Currency]).toContain(brCodeFaultOf(() => parseBrCode(code)));
  });
});
