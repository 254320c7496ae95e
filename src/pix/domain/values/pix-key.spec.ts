import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pixVectors } from '../../../../test/support/pix-vectors.js';
import { isPixKey, parsePixKey, PIX_KEY_TYPES, type PixKeyResult } from './pix-key.js';

function valueOf(result: PixKeyResult): string | undefined {
  return result.ok ? result.key.value : undefined;
}

function faultOf(result: PixKeyResult) {
  return result.ok ? undefined : { member: result.fault.member, code: result.fault.code };
}

const wrongValue = { member: 'value', code: 'InvalidFormat' };

describe('isPixKey', () => {
  it.each(pixVectors.keys.valid)('takes the %s %s without being told its type', (_type, value) => {
    expect(isPixKey(value)).toBe(true);
  });

  it.each(['', 'nonsense', '52998224724', '529.982.247-25', 'PIX@bcb.gov.br', '61990000100'])('refuses %j', (value) => {
    expect(isPixKey(value)).toBe(false);
  });
});

describe('parsePixKey', () => {
  it.each(pixVectors.keys.valid)('takes the %s %s as it is', (type, value) => {
    expect(parsePixKey(type, value)).toEqual({ ok: true, key: { type, value } });
  });

  it.each(pixVectors.keys.invalid)('refuses the %s %s', (type, value) => {
    expect(faultOf(parsePixKey(type, value))).toEqual(wrongValue);
  });

  it('normalises as DICT stores keys', () => {
    expect(valueOf(parsePixKey('CPF', '529.982.247-25'))).toBe('52998224725');
    expect(valueOf(parsePixKey('CNPJ', '12.abc.345/01de-35'))).toBe('12ABC34501DE35');
    expect(valueOf(parsePixKey('EMAIL', 'Cliente+A@PIX.bcb.gov.br'))).toBe('cliente+a@pix.bcb.gov.br');
    expect(valueOf(parsePixKey('EVP', '123E4567-E12B-12D1-A456-426655440000'))).toBe(
      '123e4567-e12b-12d1-a456-426655440000',
    );
  });

  it('takes the type in any letter case', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pixVectors.keys.valid), fc.array(fc.boolean()), ([type, value], upper) => {
        const written = Array.from(type, (letter, at) => (upper[at] ? letter : letter.toLowerCase())).join('');
        expect(parsePixKey(written, value)).toEqual({ ok: true, key: { type, value } });
      }),
    );
  });

  it.each(['', 'RG', 'EMAIL ', 'EMAıL', 'toString'])('refuses the type %j and names the allowed ones', (type) => {
    const result = parsePixKey(type, 'pix@bcb.gov.br');
    expect(faultOf(result)).toEqual({ member: 'type', code: 'NotAllowed' });
    expect(result.ok ? undefined : result.fault.info).toEqual({ allowedValues: PIX_KEY_TYPES });
  });

  it('does not take a CPF for a CNPJ, nor the other way round', () => {
    expect(faultOf(parsePixKey('CNPJ', '52998224725'))).toEqual(wrongValue);
    expect(faultOf(parsePixKey('CPF', '11222333000181'))).toEqual(wrongValue);
  });

  it('takes any UUID as EVP, whatever its version', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        expect(valueOf(parsePixKey('EVP', uuid.toUpperCase()))).toBe(uuid);
      }),
    );
    expect(parsePixKey('EVP', '00000000-0000-0000-0000-000000000404').ok).toBe(true);
  });

  it.each(['+123', '+551130000000', '+123456789012345'])('takes the E.164 phone %s', (phone) => {
    expect(valueOf(parsePixKey('PHONE', phone))).toBe(phone);
  });

  it.each(['+12', '+1234567890123456', '+05561990000100', '+55 61 99000-0100', '5561990000100', '+', '+٥٥٦١٩٩'])(
    'refuses %s, which is not E.164',
    (phone) => {
      expect(faultOf(parsePixKey('PHONE', phone))).toEqual(wrongValue);
    },
  );

  it('takes an e-mail of 77 characters, not of 78', () => {
    const email = (length: number) => `${'a'.repeat(length - '@bcb.gov.br'.length)}@bcb.gov.br`;
    expect(parsePixKey('EMAIL', email(77)).ok).toBe(true);
    expect(faultOf(parsePixKey('EMAIL', email(78)))).toEqual({ member: 'value', code: 'TooLong' });
  });

  it.each([
    '@bcb.gov.br',
    'pix@',
    'pix@@bcb.gov.br',
    'pix@bcb..gov.br',
    'pix@-bcb.gov.br',
    'pix@bcb-.gov.br',
    'p%x@bcb.gov.br',
    'p x@bcb.gov.br',
    ' pix@bcb.gov.br',
    'pix@bcb.gov.br\n',
    'josé@bcb.gov.br',
    '\u212Aate@bcb.gov.br',
    `pix@${'a'.repeat(64)}.br`,
  ])('refuses %j, which is no e-mail of DICT', (email) => {
    expect(faultOf(parsePixKey('EMAIL', email))).toEqual(wrongValue);
  });

  it('leaves a normalised key as it is', () => {
    const anyKey = fc.oneof(
      fc.emailAddress(),
      fc.uuid(),
      fc.constantFrom(...pixVectors.keys.valid.map(([, value]) => value)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...PIX_KEY_TYPES), anyKey, (type, value) => {
        const once = parsePixKey(type, value);
        if (once.ok) expect(parsePixKey(type, once.key.value)).toEqual(once);
      }),
    );
  });
});
