import type { AmountLimits } from '../../accounts/index.js';
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

const SAO_PAULO = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  hourCycle: 'h23',
});

/** The hours of Resolução BCB 142/2021, decisions 6: from 20:00 to 06:00 in São Paulo. */
export function isNight(at: Date): boolean {
  const hour = Number(SAO_PAULO.formatToParts(at).find(({ type }) => type === 'hour')!.value);
  return hour >= 20 || hour < 6;
}

/** The calendar day of a moment in São Paulo, the rail's own calendar: `2026-11-20`. */
export function saoPauloDay(at: Date): string {
  return SAO_PAULO.format(at).slice(0, 10);
}

/** The time of day in São Paulo: `22:05`. There is no summer time since Decreto 9.772/2019. */
export function saoPauloTime(at: Date): string {
  return new Date(at.getTime() - 3 * 3_600_000).toISOString().slice(11, 16);
}

/** Whole calendar days in São Paulo from one moment to another. */
export function daysBetween(from: Date, to: Date): number {
  return (Date.parse(saoPauloDay(to)) - Date.parse(saoPauloDay(from))) / 86_400_000;
}
