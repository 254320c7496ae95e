import type { Balances } from './posting.js';
import { BalanceLimitExceeded } from './errors.js';

/**
 * What money that may be refused can bring an account to, centavos: available and held together, in either direction
 * for system accounts. Below what the database can hold (`REPRESENTABLE`), so that what cannot be refused, as money that
 * comes back, has room left.
 */
export const BALANCE_LIMIT = 9_000_000_000_000_000_000n;

/** The largest balance that can be stored: PostgreSQL's `bigint`. */
export const REPRESENTABLE = 2n ** 63n - 1n;

/** @param amount signed centavos */
export function hasRoom({ available, held }: Balances, amount: bigint, limit = BALANCE_LIMIT): boolean {
  const after = available + held + amount;
  return amount >= 0n ? after <= limit : after >= -limit;
}

/** @throws BalanceLimitExceeded */
export function assertRoom(account: Balances, amount: bigint): void {
  if (!hasRoom(account, amount)) throw new BalanceLimitExceeded();
}
