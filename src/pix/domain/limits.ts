import { type AmountLimits, dayOrNightOf } from '../../accounts/index.js';
import { InvalidInputError } from '../../platform/errors/index.js';
import { formatAmount } from '../../platform/money.js';

/**
 * What a charge can ask for: ten digits before the dot, in a BR Code (field 54, thirteen characters) and in the API Pix
 * (`CobValor.original`) alike.
 */
export const CHARGEABLE: AmountLimits = { minimum: 1n, maximum: 9_999_999_999_99n };

/** @throws InvalidInputError `AmountAboveMaximum` for more than the night's limit, at night */
export function assertWithinAtNight(maximum: bigint | null, amount: bigint, at: Date): void {
  if (maximum === null || amount <= maximum || !isNight(at)) return;
  const most = formatAmount(maximum);
  const rule = `Between 20:00 and 06:00 (America/Sao_Paulo) the amount must be at most ${most}.`;
  throw new InvalidInputError('AmountAboveMaximum', rule, { maximum: most });
}

/** The hours of Resolução BCB 142/2021, decisions 6: from 20:00 to 06:00 in São Paulo. */
export function isNight(at: Date): boolean {
  return dayOrNightOf(at, 20).kind === 'night';
}
