import type { ParsedBrCode } from '../domain/values/br-code.js';
import { type PixKey, pixKeyOf } from '../domain/values/pix-key.js';
import type { ChargeTerms } from './charge-terms.js';
import { CodeRefused } from '../domain/code-refused.js';

/** What the partner said of a payment beside its code. */
export interface SaidOfPayment {
  /** Centavos. */
  readonly amount?: bigint;
  readonly name?: string;
  /** CPF or CNPJ, normalised. */
  readonly taxNumber?: string;
}

/** What is paid, and to whom, where code and partner agree. */
export interface CodePayment {
  /** Centavos, above zero. */
  readonly amount: bigint;
  readonly key: PixKey;
  readonly name: string;
  /** `""` where neither partner nor code tell it. */
  readonly taxNumber: string;
  /** Whether a bank that is given the code alone pays just this, to just this person. */
  readonly codeSaysAll: boolean;
}

/** @throws CodeRefused where the two do not agree, or leave something open */
export function agreedPayment(code: ParsedBrCode, charge: ChargeTerms | null, said: SaidOfPayment): CodePayment {
  const key = pixKeyOf(charge?.key ?? (code.kind === 'Static' ? code.key : ''));
  if (!key) throw new CodeRefused('QrCodeKeyInvalid');
  const asked = charge ? charge.amount : (code.amount ?? 0n);
  const amount = said.amount ?? asked;
  if (amount === 0n) throw new CodeRefused('QrCodeAmountRequired');
  const mayDiffer = asked === 0n || charge?.payerMayChangeAmount === true;
  if (!mayDiffer && amount !== asked) throw new CodeRefused('QrCodeAmountMismatch');
  const told = charge?.receiver?.taxNumber ?? (key.type === 'CPF' || key.type === 'CNPJ' ? key.value : undefined);
  if (said.taxNumber !== undefined && told !== undefined && said.taxNumber !== told) {
    throw new CodeRefused('QrCodeRecipientMismatch');
  }
  return {
    amount,
    key,
    name: said.name || (charge?.receiver?.name ?? code.merchantName),
    taxNumber: said.taxNumber ?? told ?? '',
    codeSaysAll: amount === asked && (said.taxNumber === undefined || told !== undefined),
  };
}
