import type { ParsedBrCode } from '../domain/values/br-code.js';
import { type PixKey, pixKeyOf } from '../domain/values/pix-key.js';
import type { ChargeTerms } from './charge-terms.js';
import { CodeRefused } from '../domain/code-refused.js';

/** What a partner's request fixes beside the code. */
export interface RequestedTerms {
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
  /** `""` where neither the partner nor the code gives it. */
  readonly taxNumber: string;
  /** Whether a bank that gets only the code pays this amount to this person. */
  readonly codeIsEnough: boolean;
}

/** @throws CodeRefused where the two do not agree, or leave something open */
export function agreedPayment(code: ParsedBrCode, charge: ChargeTerms | null, requested: RequestedTerms): CodePayment {
  const key = pixKeyOf(charge?.key ?? (code.kind === 'Static' ? code.key : ''));
  if (!key) throw new CodeRefused('QrCodeKeyInvalid');
  const asked = charge ? charge.amount : (code.amount ?? 0n);
  const amount = requested.amount ?? asked;
  if (amount === 0n) throw new CodeRefused('QrCodeAmountRequired');
  const mayDiffer = asked === 0n || charge?.payerMayChangeAmount === true;
  if (!mayDiffer && amount !== asked) throw new CodeRefused('QrCodeAmountMismatch');
  const known = charge?.receiver?.taxNumber ?? (key.type === 'CPF' || key.type === 'CNPJ' ? key.value : undefined);
  if (requested.taxNumber !== undefined && known !== undefined && requested.taxNumber !== known) {
    throw new CodeRefused('QrCodeRecipientMismatch');
  }
  return {
    amount,
    key,
    name: requested.name || (charge?.receiver?.name ?? code.merchantName),
    taxNumber: requested.taxNumber ?? known ?? '',
    codeIsEnough: amount === asked && (requested.taxNumber === undefined || known !== undefined),
  };
}
