const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * BCB, "Manual Operacional do DICT" 8, 20.4, step 5: the institution has seven calendar days for its analysis. A
 * defence is heard in the first five of them, so that somebody can read it.
 */
export const DEFENCE_DAYS = 5;
export const DECISION_DAYS = 7;

/** The same, 17: further returns within ninety days of the original transaction. */
export const RETURN_DAYS = 90;

/**
 * This service's own: so many days more a rail that gives money back by itself, and does not tell what it gave, is
 * asked at the end of a case. Meanwhile an operator can look at the rail's own books.
 */
export const UNTOLD_DAYS = 14;

const LAST_RETURNS_MS = 60 * 60 * 1000;

/** The same, 20.2 and 20.3, step 5: eighty calendar days from the transaction to ask for a recovery. */
export const RECOVERY_DAYS = 80;

export function after(moment: Date, days: number): Date {
  return new Date(moment.getTime() + days * DAY_MS);
}

export const earlier = (one: Date, other: Date) => (one < other ? one : other);

/** An hour before their end: from then on nobody waits for money any more that a return of the rail's lacks. */
export function lastReturnOf({ returnUntil }: { readonly returnUntil: Date }): Date {
  return new Date(returnUntil.getTime() - LAST_RETURNS_MS);
}

/** How long no return is tried after the rail refused one: longer each time, a day at most. */
export function pauseAfter(refusals: number): number {
  return Math.min(60 * 60 * 1000 * 2 ** (refusals - 1), DAY_MS);
}
