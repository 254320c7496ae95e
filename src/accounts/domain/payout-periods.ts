import { fixedClockOf, fixedMomentOf, midnightOf } from '../../platform/sao-paulo.js';

/** A stretch of time that payouts are counted in. */
export interface Period {
  readonly from: Date;
  /** The first moment after it. */
  readonly to: Date;
}

/** Hour of São Paulo at which the night begins. */
export type NightStart = 20 | 22;

const HOUR_MS = 3_600_000;
const MORNING = 6;

/**
 * The day (from 06:00 until the night begins) or the night (until 06:00) that a moment is in. A night is one, whatever
 * the date.
 */
export function dayOrNightOf(at: Date, nightStart: NightStart): Period & { readonly kind: 'day' | 'night' } {
  const midnight = midnightOf(at).getTime();
  const hours = (at.getTime() - midnight) / HOUR_MS;
  const [kind, from, to] =
    hours < MORNING
      ? (['night', nightStart - 24, MORNING] as const)
      : hours < nightStart
        ? (['day', MORNING, nightStart] as const)
        : (['night', nightStart, 24 + MORNING] as const);
  return { kind, from: new Date(midnight + from * HOUR_MS), to: new Date(midnight + to * HOUR_MS) };
}

/** The calendar month in São Paulo. */
export function monthOf(at: Date): Period {
  const local = new Date(fixedClockOf(at));
  const first = (month: number) => fixedMomentOf(Date.UTC(local.getUTCFullYear(), month, 1));
  return { from: first(local.getUTCMonth()), to: first(local.getUTCMonth() + 1) };
}

/** The hour by the clock. */
export function hourOf(at: Date): Period {
  const from = at.getTime() - (at.getTime() % HOUR_MS);
  return { from: new Date(from), to: new Date(from + HOUR_MS) };
}

/** 06:00 in São Paulo, at a moment or next after it: between a night and a day. */
export function nextMorning(at: Date): Date {
  const today = midnightOf(at).getTime() + MORNING * HOUR_MS;
  return new Date(today >= at.getTime() ? today : today + 24 * HOUR_MS);
}

/** The calendar day in São Paulo. */
export function calendarDayOf(at: Date): Period {
  const from = midnightOf(at);
  return { from, to: new Date(from.getTime() + 24 * HOUR_MS) };
}

/**
 * The period in which what one payee gets is counted: a day or a night for a natural person, a calendar day for a legal
 * person (Instrução Normativa BCB 331/2022, art. 1, §§ 1 and 11, as changed by IN BCB 437/2023).
 */
export function payeePeriodOf(
  at: Date,
  person: 'Natural' | 'Legal',
  nightStart: NightStart,
): Period & { readonly kind: 'day' | 'night' } {
  return person === 'Legal' ? { kind: 'day', ...calendarDayOf(at) } : dayOrNightOf(at, nightStart);
}
