import { dayBefore, isDay } from '../../platform/sao-paulo.js';

/** Days that are older are not compared: what says which were are rows, and a row may name any day. */
export const MOST_DAYS = 366;

/** What is known of earlier nights. Days of São Paulo, `2026-11-20`. */
export interface Nights {
  /** The days that the log has as compared, of the last `MOST_DAYS`. */
  readonly compared: readonly string[];
  /** The last day that the timer's payload has as compared; anything, as it is in no event. */
  readonly told: unknown;
  /** Of the ledger's first event. */
  readonly began: string;
}

/**
 * The days to compare tonight, in order: each one that the log does not have, whatever the timer says, and yesterday,
 * which may be compared once more. Days after the one that the timer names too: where a process ended between them,
 * they are compared again, together.
 */
export function daysToCompare(today: string, { compared, told, began }: Nights): string[] {
  const known = compared.filter(isDay).sort();
  const last = isDay(told) ? told : undefined;
  const after = known[0] ?? last ?? dayBefore(began);
  const [yesterday, done] = [dayBefore(today), new Set(known)];
  const days: string[] = [];
  let day = yesterday;
  for (let n = 0; n < MOST_DAYS && (day === yesterday || day > after); n++, day = dayBefore(day))
    if (day === yesterday || !done.has(day) || (last && day > last)) days.unshift(day);
  return days;
}
