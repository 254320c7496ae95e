import type { ExpectedPayer } from './events/shared.js';
import { type AccountIdentity, isSameAccount } from './values/bank-account.js';

/** What a payment must fit. */
export interface Expectation {
  /** Centavos. */
  readonly amount: bigint;
  /** `forgotten`: the request named a payer whose data was erased since; then nothing can be shown to fit. */
  readonly payer: ExpectedPayer | 'forgotten' | undefined;
}

/** A payment that arrived, in clear. */
export interface ArrivedPayment {
  /** Centavos. */
  readonly amount: bigint;
  readonly payer: AccountIdentity & { readonly taxNumber: string };
}

export type Misfit = 'AmountMismatch' | 'PayerTaxNumberMismatch' | 'PayerAccountMismatch' | 'PayerCannotBeVerified';

/**
 * Why a payment does not fit, in the order of decisions 7: amount, the payer's tax number, the payer's account or the
 * validation accounts in their order. `undefined` when it fits.
 */
export function misfitOf(expected: Expectation, { amount, payer }: ArrivedPayment): Misfit | undefined {
  if (amount !== expected.amount) return 'AmountMismatch';
  if (expected.payer === 'forgotten') return 'PayerCannotBeVerified';
  const { taxNumber, account, validationAccounts } = expected.payer ?? {};
  if (taxNumber !== undefined && taxNumber !== payer.taxNumber) return 'PayerTaxNumberMismatch';
  const accounts = account ? [account] : (validationAccounts ?? []);
  if (accounts.length > 0 && !accounts.some((one) => isSameAccount(one, payer))) return 'PayerAccountMismatch';
  return undefined;
}
