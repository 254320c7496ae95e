import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pixVectors } from '../../test/support/pix-vectors.js';
import { formatTaxNumber, isCompany, maskTaxNumber, parseTaxNumber } from './tax-number.js';

const valid = [...pixVectors.cpf.valid, ...pixVectors.cnpj.valid];
const CNPJ_CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Finds the check digits by trying all hundred, so that the specs do not repeat the algorithm. */
function completions(body: string): string[] {
  return Array.from({ length: 100 }, (_, pair) => body + String(pair).padStart(2, '0')).filter(
    (candidate) => parseTaxNumber(candidate) !== undefined,
  );
}

const cpfBody = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 9, maxLength: 9 });
const cnpjBody = fc.string({ unit: fc.constantFrom(...CNPJ_CHARACTERS), minLength: 12, maxLength: 12 });
const notRepeated = (body: string) => new Set(body).size > 1;

describe('parseTaxNumber', () => {
  it.each(pixVectors.cpf.valid)('takes the CPF %s', (value) => {
    expect(parseTaxNumber(value)).toEqual({ kind: 'CPF', value });
  });

  it.each(pixVectors.cnpj.valid)('takes the CNPJ %s', (value) => {
    expect(parseTaxNumber(value)).toEqual({ kind: 'CNPJ', value });
  });

  it.each([...pixVectors.cpf.invalid, ...pixVectors.cnpj.invalid])('refuses %s', (value) => {
    expect(parseTaxNumber(value)).toBeUndefined();
  });

  it.each(Array.from('0123456789', (digit) => [digit.repeat(11), digit.repeat(14)]).flat())(
    'refuses the repeated digit %s',
    (value) => {
      expect(parseTaxNumber(value)).toBeUndefined();
    },
  );

  it('drops punctuation and surrounding spaces, and puts a CNPJ into capitals', () => {
    expect(parseTaxNumber(' 529.982.247-25\n')?.value).toBe('52998224725');
    expect(parseTaxNumber('12.abc.345/01de-35')?.value).toBe('12ABC34501DE35');
    expect(parseTaxNumber('11.222.333/0001-81')?.value).toBe('11222333000181');
  });

  it.each(['', '-', '529 982 247 25', '52998224725x', '+52998224725', '５２９９８２２４７２５', '12ABC34501DE3A'])(
    'refuses %j, which is no tax number',
    (value) => {
      expect(parseTaxNumber(value)).toBeUndefined();
    },
  );

  it('refuses letters outside ASCII, also where their capital is inside', () => {
    const [value = ''] = completions('12ABC34501SE');
    expect(parseTaxNumber(value.toLowerCase())).toEqual({ kind: 'CNPJ', value });
    expect(parseTaxNumber(value.replace('S', 'ſ'))).toBeUndefined();
  });

  it('takes exactly one pair of check digits for any body', () => {
    fc.assert(
      fc.property(fc.oneof(cpfBody, cnpjBody).filter(notRepeated), (body) => {
        expect(completions(body)).toHaveLength(1);
      }),
    );
  });

  it('refuses one wrong digit anywhere in a number whose first check digit is not 0', () => {
    // The rests 0 and 1 share the check digit 0, so the rule itself lets 22345678909 pass beside 12345678909.
    const numeric = valid.filter((value) => /^[0-9]+[1-9][0-9]$/.test(value));
    fc.assert(
      fc.property(fc.constantFrom(...numeric), fc.nat(), fc.integer({ min: 1, max: 9 }), (value, place, step) => {
        const at = place % value.length;
        const other = String((Number(value[at]) + step) % 10);
        expect(parseTaxNumber(value.slice(0, at) + other + value.slice(at + 1))).toBeUndefined();
      }),
    );
  });
});

describe('formatTaxNumber', () => {
  it('is undone by parsing', () => {
    fc.assert(
      fc.property(fc.oneof(cpfBody, cnpjBody).filter(notRepeated), (body) => {
        const taxNumber = parseTaxNumber(completions(body)[0] ?? '');
        expect(taxNumber && parseTaxNumber(formatTaxNumber(taxNumber))).toEqual(taxNumber);
      }),
    );
  });

  it('writes the usual punctuation', () => {
    expect(formatTaxNumber({ kind: 'CPF', value: '52998224725' })).toBe('529.982.247-25');
    expect(formatTaxNumber({ kind: 'CNPJ', value: '12ABC34501DE35' })).toBe('12.ABC.345/01DE-35');
  });
});

describe('isCompany', () => {
  it('tells a CNPJ from a CPF, and takes whoever is not known for a person', () => {
    expect(['52998224725', '12ABC34501DE35', ''].map(isCompany)).toEqual([false, true, false]);
  });
});

describe('maskTaxNumber', () => {
  it('hides the first group and the check digits', () => {
    expect(maskTaxNumber({ kind: 'CPF', value: '52998224725' })).toBe('***.982.247-**');
    expect(maskTaxNumber({ kind: 'CNPJ', value: '12ABC34501DE35' })).toBe('**.ABC.345/01DE-**');
  });
});
