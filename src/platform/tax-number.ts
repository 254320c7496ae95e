/**
 * Brazilian tax numbers: CPF (a person) and CNPJ (a company), the latter also in the alphanumeric form in force
 * since July 2026.
 * Sources: Receita Federal, "Cálculo dos dígitos verificadores de CNPJ alfanumérico"; IN RFB 2.229/2024; the
 * check digits of the CPF and of the numeric CNPJ are the same modulo 11 with other weights.
 */
export type TaxNumberKind = 'CPF' | 'CNPJ';

/** `value` is normalised: 11 digits of a CPF, or 12 digits or capitals and 2 check digits of a CNPJ. */
export interface TaxNumber {
  readonly kind: TaxNumberKind;
  readonly value: string;
}

const CPF = /^[0-9]{11}$/;
const CNPJ = /^[0-9A-Z]{12}[0-9]{2}$/;
const CNPJ_LENGTH = 14;
const WRITTEN = /^[0-9A-Za-z./-]+$/;
const PUNCTUATION = /[./-]/g;
const SINGLE_CHARACTER_REPEATED = /^(.)\1*$/;

const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];

/**
 * Parses a CPF or a CNPJ, distinguished by length. Surrounding spaces and the punctuation (dot, slash, hyphen) are
 * dropped and letters become capitals. Returns `undefined` for anything that is not one, wrong check digits and
 * a repeated character (`111.111.111-11`, whose check digits would fit) included.
 */
export function parseTaxNumber(text: string): TaxNumber | undefined {
  const written = text.trim();
  // Before the change of case: some letters outside ASCII have an ASCII capital ("ſ" becomes "S").
  if (!WRITTEN.test(written)) return undefined;
  const value = written.replace(PUNCTUATION, '').toUpperCase();
  if (SINGLE_CHARACTER_REPEATED.test(value)) return undefined;
  if (CPF.test(value)) return hasCheckDigits(value, CPF_WEIGHTS) ? { kind: 'CPF', value } : undefined;
  if (CNPJ.test(value)) return hasCheckDigits(value, CNPJ_WEIGHTS) ? { kind: 'CNPJ', value } : undefined;
  return undefined;
}

/** Whether a normalised tax number is a CNPJ, by its length: who is not known (`''`) is taken for a person. */
export function isCompany(value: string): boolean {
  return value.length === CNPJ_LENGTH;
}

/** Writes with the usual punctuation: `529.982.247-25`, `12.ABC.345/01DE-35`. */
export function formatTaxNumber({ kind, value }: TaxNumber): string {
  return kind === 'CPF'
    ? `${value.slice(0, 3)}.${value.slice(3, 6)}.${value.slice(6, 9)}-${value.slice(9)}`
    : `${value.slice(0, 2)}.${value.slice(2, 5)}.${value.slice(5, 8)}/${value.slice(8, 12)}-${value.slice(12)}`;
}

/**
 * Writes for a receipt, as Pix receipts do: without the first group and without the check digits, so that the
 * CPF is not disclosed: `***.982.247-**`, `**.ABC.345/01DE-**`.
 */
export function maskTaxNumber(taxNumber: TaxNumber): string {
  const written = formatTaxNumber(taxNumber);
  const hidden = taxNumber.kind === 'CPF' ? 3 : 2;
  return `${'*'.repeat(hidden)}${written.slice(hidden, -2)}**`;
}

/** `weights` are those of the second check digit; the first one uses all but the first of them. */
function hasCheckDigits(value: string, weights: readonly number[]): boolean {
  const first = checkDigit(value.slice(0, -2), weights.slice(1));
  const second = checkDigit(value.slice(0, -1), weights);
  return value.endsWith(`${first}${second}`);
}

/** A character counts as its ASCII code less 48: digits as themselves, `A` as 17 … `Z` as 42. */
function checkDigit(body: string, weights: readonly number[]): number {
  const sum = weights.reduce((total, weight, index) => total + weight * (body.charCodeAt(index) - 48), 0);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
