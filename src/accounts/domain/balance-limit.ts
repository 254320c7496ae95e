import type { Balances } from './posting.js';
import { BalanceLimitExceeded } from './errors.js';

/**
 * The balance limit for postings that may be refused, centavos: all buckets together, in either direction for
 * system accounts. It is below the largest balance of the database (`REPRESENTABLE`), so that postings that cannot be
 * refused, such as returns, still fit.
 */
export const BALANCE_LIMIT = 9_000_000_000_000_000_000n;

/** The largest balance that can be stored: PostgreSQL's `bigint`. */
export const REPRESENTABLE = 2n ** 63n - 1n;

/** @param amount signed centavos */
export function hasRoom({ available, held, blocked }: Balances, amount: bigint, limit = BALANCE_LIMIT): boolean {
  const after = available + held + blocked + amount;
  return amount >= 0n ? after <= limit : after >= -limit;
}

/** @throws BalanceLimitExceeded */
export function assertRoom(account: Balances, amount: bigint): void {
  if (!hasRoom(account, amount)) throw new BalanceLimitExceeded();
}
