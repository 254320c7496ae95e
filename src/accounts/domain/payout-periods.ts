/** A stretch of time that payouts are counted in. */
export interface Period {
  readonly from: Date;
  /** The first moment after it. */
  readonly to: Date;
}

/** Hour of São Paulo at which the night begins. */
export type NightStart = 20 | 22;

const HOUR_MS = 3_600_000;
/**
 * São Paulo is three hours behind UTC, without summer time since Decreto 9.772/2019. Fixed here, and not asked of the
 * time zone database, so that a replay counts as the live path did.
 */
const BEHIND_MS = 3 * HOUR_MS;
const MORNING = 6;

const midnightOf = (at: Date) => at.getTime() - ((at.getTime() - BEHIND_MS) % (24 * HOUR_MS));

/** The day (from 06:00 until the night begins) or the night (until 06:00) that a moment is in. A night is one, whatever the date. */
export function dayOrNightOf(at: Date, nightStart: NightStart): Period & { readonly kind: 'day' | 'night' } {
  const midnight = midnightOf(at);
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
  const local = new Date(at.getTime() - BEHIND_MS);
  const first = (month: number) => new Date(Date.UTC(local.getUTCFullYear(), month, 1) + BEHIND_MS);
  return { from: first(local.getUTCMonth()), to: first(local.getUTCMonth() + 1) };
}

/** The hour by the clock. */
export function hourOf(at: Date): Period {
  const from = at.getTime() - (at.getTime() % HOUR_MS);
  return { from: new Date(from), to: new Date(from + HOUR_MS) };
}

/** 06:00 in São Paulo, at a moment or next after it: between a night and a day. */
export function nextMorning(at: Date): Date {
  const today = midnightOf(at) + MORNING * HOUR_MS;
  return new Date(today >= at.getTime() ? today : today + 24 * HOUR_MS);
}

/** The calendar day in São Paulo. */
export function calendarDayOf(at: Date): Period {
  const midnight = midnightOf(at);
  return { from: new Date(midnight), to: new Date(midnight + 24 * HOUR_MS) };
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
