import type { Party, Recipient } from './events/shared.js';
import { isSameAccount } from './values/bank-account.js';

export type KeyMisfit = 'KeyNotFound' | 'KeyBelongsToAnotherPerson' | 'KeyBelongsToAnotherAccount';

/**
 * Why a payout to a key must not be sent: the key does not exist, or its owner is not the partner's recipient (contract
 * 4.4: with key and account, the owner is validated against the account). What DICT does not give is not compared.
 */
export function keyMisfitOf(
  recipient: Recipient,
  lookup: { readonly found: false } | { readonly found: true; readonly owner: Party },
): KeyMisfit | undefined {
  if (!lookup.found) return 'KeyNotFound';
  const { taxNumber, ispb, branch, number, digit } = lookup.owner;
  if (taxNumber && recipient.taxNumber && taxNumber !== recipient.taxNumber) return 'KeyBelongsToAnotherPerson';
  if (!recipient.account || ispb === undefined || branch === undefined || number === undefined) return undefined;
  return isSameAccount(recipient.account, { ispb, branch, number, digit }) ? undefined : 'KeyBelongsToAnotherAccount';
}
