import type { ExpectedPayer } from './events/shared.js';
import { type AccountIdentity, isSameAccount } from './values/bank-account.js';

/** What a payment is compared with. */
export interface Expectation {
  /** Centavos. */
  readonly amount: bigint;
  /** `forgotten`: the expected payer's data was erased since; then no payment can be verified. */
  readonly payer: ExpectedPayer | 'forgotten' | undefined;
}

/** A payment that arrived, in clear. What the rail did not report of its payer is absent. */
export interface ArrivedPayment {
  /** Centavos. */
  readonly amount: bigint;
  readonly payer: Partial<AccountIdentity> & { readonly taxNumber?: string };
  /** The rail says that the expected payer did not pay it, and does not say who did. */
  readonly isAnothers?: true;
}

/** What a rail reports of a payer, or confirms, from most to least. */
export type PayerIdentification = 'ByAccount' | 'ByTaxNumber' | 'No';

/**
 * What of an expected payer can never be compared with the rail's data.
 * @returns the first such member of the request's `payment.payer`
 */
export function unverifiable(
  { taxNumber, account, validationAccounts }: ExpectedPayer,
  identifies: PayerIdentification,
): 'cpf' | 'account' | 'validationAccounts' | undefined {
  if (identifies === 'ByAccount') return undefined;
  if (identifies === 'No' && taxNumber !== undefined) return 'cpf';
  if (account) return 'account';
  return validationAccounts ? 'validationAccounts' : undefined;
}

export type Misfit = 'AmountMismatch' | 'PayerTaxNumberMismatch' | 'PayerAccountMismatch' | 'PayerCannotBeVerified';

/**
 * Why a payment does not fit, in the order of decisions 7: amount, the payer's tax number, the payer's account or the
 * validation accounts in their order. `undefined` when it fits.
 */
export function misfitOf(expected: Expectation, { amount, payer, isAnothers }: ArrivedPayment): Misfit | undefined {
  if (amount !== expected.amount) return 'AmountMismatch';
  if (expected.payer === 'forgotten') return 'PayerCannotBeVerified';
  const { taxNumber, account, validationAccounts } = expected.payer ?? {};
  if (taxNumber !== undefined && isAnothers) return 'PayerTaxNumberMismatch';
  if (taxNumber !== undefined && !payer.taxNumber) return 'PayerCannotBeVerified';
  if (taxNumber !== undefined && taxNumber !== payer.taxNumber) return 'PayerTaxNumberMismatch';
  const accounts = account ? [account] : (validationAccounts ?? []);
  if (accounts.length === 0) return undefined;
  if (!isWhole(payer)) return 'PayerCannotBeVerified';
  return accounts.some((one) => isSameAccount(one, payer)) ? undefined : 'PayerAccountMismatch';
}

function isWhole(account: Partial<AccountIdentity>): account is AccountIdentity {
  return account.ispb !== undefined && account.branch !== undefined && account.number !== undefined;
}
