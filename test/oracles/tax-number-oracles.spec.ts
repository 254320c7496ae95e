import * as brazilianUtils from '@brazilian-utils/brazilian-utils';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatTaxNumber, parseTaxNumber } from '../../src/platform/tax-number.js';

const RUNS = 500;
const any = (characters: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });
const DIGITS = '0123456789';
const ALPHANUMERIC = `${DIGITS}ABCDEFGHIJKLMNOPQRSTUVWXYZ`;

/** The oracle's word; its version 2 is the CNPJ with letters, which takes numeric ones as well. */
const isCpf = (text: string) => brazilianUtils.isValidCpf(text);
const isCnpj = (text: string) => brazilianUtils.isValidCnpj(text, { version: 2 });

/** All hundred endings of a body, so that the right one is always among them. */
function endings(body: string): string[] {
  return Array.from({ length: 100 }, (_, pair) => body + String(pair).padStart(2, '0'));
}

describe('our tax numbers', () => {
  it('are valid for exactly the check digits that the oracle finds right', () => {
    fc.assert(
      fc.property(fc.oneof(any(DIGITS, 9), any(DIGITS, 12), any(ALPHANUMERIC, 12)), (body) => {
        for (const text of endings(body)) {
          expect([text, parseTaxNumber(text) !== undefined]).toEqual([
            text,
            body.length === 9 ? isCpf(text) : isCnpj(text),
          ]);
        }
      }),
    );
  });

  it('include every number that the oracle makes, written as it writes them', () => {
    for (let run = 0; run < RUNS; run += 1) {
      const cpf = parseTaxNumber(brazilianUtils.generateCpf());
      expect(cpf?.kind).toBe('CPF');
      expect(cpf && formatTaxNumber(cpf)).toBe(cpf && brazilianUtils.formatCpf(cpf.value));
      const cnpj = parseTaxNumber(brazilianUtils.generateCnpj({ version: 2 }));
      expect(cnpj?.kind).toBe('CNPJ');
      expect(cnpj && formatTaxNumber(cnpj)).toBe(cnpj && brazilianUtils.formatCnpj(cnpj.value, { version: 2 }));
    }
  });
});
