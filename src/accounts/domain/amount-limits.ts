import { InvalidInputError } from '../../platform/errors/index.js';
import { formatAmount } from '../../platform/money.js';

/** Bounds of one amount, centavos. */
export interface AmountLimits {
  readonly minimum: bigint;
  /** `null` for none. */
  readonly maximum: bigint | null;
}

/** Limits in a partner's settings: centavos in decimal text. */
export function amountLimits(minimum: string, maximum: string | null): AmountLimits {
  return { minimum: BigInt(minimum), maximum: maximum === null ? null : BigInt(maximum) };
}

/** @throws InvalidInputError `AmountBelowMinimum`, `AmountAboveMaximum` */
export function assertWithin({ minimum, maximum }: AmountLimits, amount: bigint): void {
  if (amount < minimum) {
    const least = formatAmount(minimum);
    throw new InvalidInputError('AmountBelowMinimum', `The amount must be at least ${least}.`, { minimum: least });
  }
  if (maximum !== null && amount > maximum) {
    const most = formatAmount(maximum);
    throw new InvalidInputError('AmountAboveMaximum', `The amount must be at most ${most}.`, { maximum: most });
  }
}
