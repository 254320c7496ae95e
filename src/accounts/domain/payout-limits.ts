import { formatAmount } from '../../platform/money.js';
import {
  DayLimitExceeded,
  MonthLimitExceeded,
  NightLimitExceeded,
  PaymentLimitExceeded,
  PayoutsPerHourExceeded,
} from './payout-limit.errors.js';
import { dayOrNightOf, hourOf, monthOf, nextMorning, type NightStart, type Period } from './payout-periods.js';

/** What limits are set for: one payout, the payouts of a day, a night, a month together, the number of them in an hour. */
export const LIMITED = ['payment', 'day', 'night', 'month', 'hour'] as const;
export type Limited = (typeof LIMITED)[number];

/** Centavos or payouts, in decimal text; `null` is no limit. `nightStart` is an hour, and never `null`. */
export type LimitValue = string | null;

/** A limit as it stands, and what it will be raised to. */
export interface LimitTerm {
  readonly value: LimitValue;
  /** `from` is ISO 8601. */
  readonly next?: { readonly value: LimitValue; readonly from: string };
}

export type LimitTerms = Readonly<Record<Limited | 'nightStart', LimitTerm>>;

/** What was paid out since the beginning of a period: centavos, or payouts, in decimal text. */
export interface Counter {
  readonly from: string;
  readonly used: string;
}

/** Day and night have one counter: one of them is over when the other begins. */
export type Counters = Readonly<Record<'dayOrNight' | 'month' | 'hour', Counter | null>>;

/** Limits of an account's payouts and what counts against them: a member of the account's row, absent until one is set. */
export interface PayoutLimits {
  /** Position of the event that set the first of them: payouts after it are counted. */
  readonly since: string;
  readonly terms: LimitTerms;
  readonly counters: Counters;
}

/** What an event adds to the counters: a payout, or with a minus one that is given back. */
export interface LimitUse {
  /** Signed centavos. */
  readonly amount: string;
  /** When the payout was accepted, ISO 8601. */
  readonly at: string;
}

export const NO_LIMITS: LimitTerms = {
  payment: { value: null },
  day: { value: null },
  night: { value: null },
  month: { value: null },
  hour: { value: null },
  nightStart: { value: '20' },
};

/** What a limit is at a moment. */
export function valueAt({ value, next }: LimitTerm, at: Date): LimitValue {
  return next && Date.parse(next.from) <= at.getTime() ? next.value : value;
}

export function nightStartAt(terms: LimitTerms, at: Date): NightStart {
  return Number(valueAt(terms.nightStart, at)) as NightStart;
}

/** What was used of a period. */
export function usedIn(counter: Counter | null, period: Period): bigint {
  return counter?.from === period.from.toISOString() ? BigInt(counter.used) : 0n;
}

/** @throws OperationError for a payout that would pass a limit: it says what is left, and from when all of it is again */
export function assertWithinPayoutLimits({ terms, counters }: PayoutLimits, amount: bigint, at: Date): void {
  const limitOf = (limited: Limited) => valueAt(terms[limited], at);
  const single = limitOf('payment');
  if (single !== null && amount > BigInt(single))
    throw new PaymentLimitExceeded({ limit: formatAmount(BigInt(single)) });

  const hour = hourOf(at);
  const payouts = limitOf('hour');
  if (payouts !== null && usedIn(counters.hour, hour) + 1n > BigInt(payouts)) {
    throw new PayoutsPerHourExceeded({ limit: payouts, left: '0', from: hour.to.toISOString() });
  }
  const refusalOf = (limited: Limited, counter: Counter | null, period: Period) => {
    const limit = limitOf(limited);
    if (limit === null) return undefined;
    const left = leftOf(BigInt(limit), usedIn(counter, period));
    if (amount <= left) return undefined;
    return { limit: formatAmount(BigInt(limit)), left: formatAmount(left), from: period.to.toISOString() };
  };
  const now = dayOrNightOf(at, nightStartAt(terms, at));
  const refusal = refusalOf(now.kind, counters.dayOrNight, now);
  if (refusal) throw now.kind === 'day' ? new DayLimitExceeded(refusal) : new NightLimitExceeded(refusal);
  const monthly = refusalOf('month', counters.month, monthOf(at));
  if (monthly) throw new MonthLimitExceeded(monthly);
}

/** A limit may have been lowered below what was used. */
export function leftOf(limit: bigint, used: bigint): bigint {
  return used < limit ? limit - used : 0n;
}

/** What a payout is given back with when it ends without being paid; `undefined` where it was never counted. */
export function givenBack(
  limits: PayoutLimits | null,
  payout: { readonly position: bigint; readonly amount: bigint; readonly registeredAt: string },
): LimitUse | undefined {
  if (!limits || payout.position <= BigInt(limits.since)) return undefined;
  return { amount: (-payout.amount).toString(), at: payout.registeredAt };
}

/** The limits after an event that uses them. What is given back to a period that is over is not counted anywhere. */
export function countUse(limits: PayoutLimits, use: LimitUse): PayoutLimits {
  const at = new Date(use.at);
  const amount = BigInt(use.amount);
  const isBack = amount < 0n;
  const counted = (counter: Counter | null, period: Period, change: bigint): Counter | null => {
    const from = period.from.toISOString();
    if (counter?.from === from) return { from, used: (BigInt(counter.used) + change).toString() };
    return isBack ? counter : { from, used: change.toString() };
  };
  const { dayOrNight, month, hour } = limits.counters;
  return {
    ...limits,
    counters: {
      dayOrNight: counted(dayOrNight, dayOrNightOf(at, nightStartAt(limits.terms, at)), amount),
      month: counted(month, monthOf(at), amount),
      hour: counted(hour, hourOf(at), isBack ? -1n : 1n),
    },
  };
}

/** When limits are changed, and how long a raise waits. */
export interface ChangeTime {
  readonly at: Date;
  readonly delayMs: number;
}

export type AskedLimits = Partial<Record<Limited | 'nightStart', LimitValue>>;

/**
 * The terms after a change. What is lowered is lowered at once; what is raised is raised after the delay. One that waits
 * already and is asked for again, or for less, keeps its moment. The night's start changes between a night and a day.
 */
export function changedTerms(limits: PayoutLimits | null, asked: AskedLimits, { at, delayMs }: ChangeTime): LimitTerms {
  const before = limits?.terms ?? NO_LIMITS;
  const later = new Date(at.getTime() + delayMs);
  const changed = (name: Limited | 'nightStart'): LimitTerm => {
    const target = asked[name];
    const term = before[name];
    const value = valueAt(term, at);
    const waits = term.next && Date.parse(term.next.from) > at.getTime() ? term.next : undefined;
    if (target === undefined) return waits ? { value, next: waits } : { value };
    if (name === 'nightStart') {
      if (target === value || !limits) return { value: target };
      if (waits?.value === target) return { value, next: waits };
      return { value, next: { value: target, from: nextMorning(isAbove(target, value) ? later : at).toISOString() } };
    }
    if (delayMs === 0 || !isAbove(target, value)) return { value: target };
    const from = waits && !isAbove(target, waits.value) ? waits.from : later.toISOString();
    return { value, next: { value: target, from } };
  };
  return {
    payment: changed('payment'),
    day: changed('day'),
    night: changed('night'),
    month: changed('month'),
    hour: changed('hour'),
    nightStart: changed('nightStart'),
  };
}

/** Whether a limit lets more through than another. */
function isAbove(one: LimitValue, other: LimitValue): boolean {
  if (other === null) return false;
  return one === null || BigInt(one) > BigInt(other);
}
