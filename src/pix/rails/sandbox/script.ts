import type { KeyLookup, RailParty } from '../pix-rail.js';
import type { PixKey } from '../../domain/values/pix-key.js';

/** How a payment of ours ends in the sandbox, by its centavos (decisions 10). */
export type Ending =
  | {
      readonly status: 'Settled';
      /** Centavos that the payee's bank sends back a second later. */ readonly sentBack?: bigint;
    }
  | { readonly status: 'Rejected' | 'Returned'; readonly code: string };

/** ISO 20022: closed account; returned by the payee's bank for an error of its own. */
const CLOSED_ACCOUNT = 'AC07';
const RETURNED_BY_BANK = 'BE08';

/** @returns `undefined` for a payment that stays pending until it is forced */
export function endingOf(amount: bigint): Ending | undefined {
  switch (amount % 100n) {
    case 96n:
      return { status: 'Settled', sentBack: amount / 2n };
    case 97n:
      return { status: 'Rejected', code: CLOSED_ACCOUNT };
    case 98n:
      return undefined;
    case 99n:
      return { status: 'Returned', code: RETURNED_BY_BANK };
    default:
      return { status: 'Settled' };
  }
}

/** How an operator of the sandbox makes a payment end. */
export const FORCED = {
  complete: { status: 'Settled' },
  fail: { status: 'Rejected', code: CLOSED_ACCOUNT },
  reverse: { status: 'Returned', code: RETURNED_BY_BANK },
} as const satisfies Record<string, Ending>;
export type Force = keyof typeof FORCED;

const UNKNOWN_EMAIL = '+notfound@example.com';
const UNKNOWN_EVP = '00000000-0000-0000-0000-000000000404';
const ANOTHERS_EVP = '00000000-0000-0000-0000-000000000409';
const ANOTHERS_ACCOUNT = {
  ispb: '99999008',
  branch: '0409',
  number: '4090409',
  digit: '9',
  type: 'PaymentAccount',
} as const;

/**
 * DICT as the sandbox plays it: every key but the scripted ones exists and belongs to the partner's recipient. An
 * account is given only for the key that is scripted to be another's.
 */
export function lookUp({ type, value }: PixKey): KeyLookup {
  if (type === 'EMAIL' && value.endsWith(UNKNOWN_EMAIL)) return { found: false };
  if (type === 'EVP' && value === UNKNOWN_EVP) return { found: false };
  return { found: true, owner: type === 'EVP' && value === ANOTHERS_EVP ? ANOTHERS_ACCOUNT : {} };
}

/** The account of every key in the sandbox, where the partner named none. */
export const ACCOUNT_BEHIND_KEYS = {
  ispb: '99999008',
  branch: '0001',
  number: '1234567',
  digit: '8',
  type: 'PaymentAccount',
} as const satisfies Partial<RailParty>;
