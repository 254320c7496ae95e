import type { Fault } from './fault.js';
import { parseTaxNumber } from '../../../platform/tax-number.js';

export const PIX_KEY_TYPES = ['CPF', 'CNPJ', 'EMAIL', 'PHONE', 'EVP'] as const;
export type PixKeyType = (typeof PIX_KEY_TYPES)[number];

/** A key in the form in which DICT stores it. */
export interface PixKey {
  readonly type: PixKeyType;
  readonly value: string;
}

export type PixKeyFault = Fault<'type' | 'value', 'NotAllowed' | 'InvalidFormat' | 'TooLong'>;
export type PixKeyResult =
  | { readonly ok: true; readonly key: PixKey }
  | { readonly ok: false; readonly fault: PixKeyFault };

/** BCB DICT API, schema `Key`. */
const MAXIMUM_LENGTH = 77;

// The patterns of BCB's DICT API, "Chave", in both letter cases: input is put into lower case after the match, so that
// letters outside ASCII with an ASCII lower case (the Kelvin sign) are refused and not mended.
const EMAIL =
  /^[A-Za-z0-9.!#$&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/;
const EVP = /^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$/;
/** DICT asks for three digits or more, and would take sixteen; ITU-T E.164 ends at fifteen. */
const PHONE = /^\+[1-9][0-9]{2,14}$/;
const ASCII_WORD = /^[A-Za-z]+$/;

/**
 * Normalises and checks a Pix key as DICT does: type in any letter case; CPF and CNPJ without punctuation and with
 * check digits, CNPJ in capitals; e-mail and EVP in lower case; phone in E.164. Never throws.
 */
export function parsePixKey(type: string, value: string): PixKeyResult {
  const known = pixKeyTypeOf(type);
  if (known === undefined)
    return refused('type', 'NotAllowed', 'is not a type of Pix key', { allowedValues: PIX_KEY_TYPES });
  if (value.length > MAXIMUM_LENGTH) {
    return refused('value', 'TooLong', `has more than ${MAXIMUM_LENGTH} characters`, { maximum: MAXIMUM_LENGTH });
  }
  const normalised = normalise(known, value);
  return normalised === undefined
    ? refused('value', 'InvalidFormat', `is not a Pix key of the type ${known}`)
    : { ok: true, key: { type: known, value: normalised } };
}

/** Whether a text is a key of some type, as DICT stores it. */
export function isPixKey(value: string): boolean {
  return pixKeyOf(value) !== undefined;
}

/** The key that a text is, as DICT stores it. */
export function pixKeyOf(value: string): PixKey | undefined {
  for (const type of PIX_KEY_TYPES) {
    const result = parsePixKey(type, value);
    if (result.ok && result.key.value === value) return result.key;
  }
  return undefined;
}

function pixKeyTypeOf(type: string): PixKeyType | undefined {
  return ASCII_WORD.test(type) ? PIX_KEY_TYPES.find((known) => known === type.toUpperCase()) : undefined;
}

function normalise(type: PixKeyType, value: string): string | undefined {
  switch (type) {
    case 'CPF':
    case 'CNPJ': {
      const taxNumber = parseTaxNumber(value);
      return taxNumber?.kind === type ? taxNumber.value : undefined;
    }
    case 'EMAIL':
      return EMAIL.test(value) ? value.toLowerCase() : undefined;
    case 'EVP':
      return EVP.test(value) ? value.toLowerCase() : undefined;
    case 'PHONE':
      return PHONE.test(value) ? value : undefined;
  }
}

function refused(
  member: PixKeyFault['member'],
  code: PixKeyFault['code'],
  message: string,
  info?: PixKeyFault['info'],
): PixKeyResult {
  return { ok: false, fault: { member, code, message, info } };
}
