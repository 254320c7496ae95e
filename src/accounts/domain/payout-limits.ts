import {
  type DefaultLimits,
  LIMIT_NAMES,
  type LimitName,
  type LimitTerms,
  NO_LIMITS,
  nightStartAt,
  termOf,
  termsBy,
} from './limit-terms.js';
import { dayOrNightOf, hourOf, monthOf, type Period } from './payout-periods.js';

/** What was paid out since the beginning of a period: centavos, or payouts, in decimal text. */
export interface Counter {
  readonly from: string;
  readonly used: string;
}

/** Day and night have one counter: one of them is over when the other begins. */
export type AmountCounters = Readonly<Record<'dayOrNight' | 'month', Counter | null>>;

/** To whom payouts go: to the account's own holder, or to somebody else. */
export type PaidTo = 'own' | 'others';

/**
 * Of all payouts, and apart for those to the holder and to others. Payouts to secure contacts count in `hour` alone.
 */
export type Counters = AmountCounters & Readonly<{ hour: Counter | null } & Partial<Record<PaidTo, AmountCounters>>>;

/**
 * Limits of an account's payouts and what counts against them: a member of the account's row, absent until one is set.
 */
export interface PayoutLimits {
  /** Position of the event that set the first of them: payouts after it are counted. */
  readonly since: string;
  readonly terms: LimitTerms;
  readonly counters: Counters;
  /**
   * Names of limits that were set for this account: the partner's defaults leave them. Absent: those that there are.
   */
  readonly set?: readonly LimitName[];
  /** Revision of the partner's defaults that the terms follow. */
  readonly defaults?: number;
  /** Secure contacts; absent, there are none. */
  readonly contacts?: number;
}

/** A period of a payee's own. `subject` is the payee's data subject, never a tax number. ISO 8601. */
export interface PayeeUse {
  readonly subject: string;
  readonly from: string;
  readonly to: string;
}

/** What an event adds to the counters: a payout, or with a minus one that is given back. */
export interface LimitUse {
  /** Signed centavos. */
  readonly amount: string;
  /** When the payout was accepted, ISO 8601. */
  readonly at: string;
  readonly to?: PaidTo;
  /** The payee whose payouts are counted, where the account has a limit of one payee. */
  readonly payee?: PayeeUse;
  /** The secure contact whose limits it counts against, instead of the account's. */
  readonly contact?: PayeeUse;
}

export const NONE_COUNTED: Counters = { dayOrNight: null, month: null, hour: null };
export const NO_AMOUNTS_COUNTED: AmountCounters = { dayOrNight: null, month: null };

/** What was used of a period. */
export function usedIn(counter: Counter | null | undefined, period: Pick<Period, 'from'>): bigint {
  return counter?.from === period.from.toISOString() ? BigInt(counter.used) : 0n;
}

/** A limit may have been lowered below what was used. */
export function leftOf(limit: bigint, used: bigint): bigint {
  return used < limit ? limit - used : 0n;
}

/** What a payout is given back with when it ends without being paid; `undefined` where it was never counted. */
export function givenBack(
  limits: PayoutLimits | null,
  payout: {
    readonly position: bigint;
    readonly amount: bigint;
    readonly registeredAt: string;
    readonly counted?: CountedBy;
  },
): LimitUse | undefined {
  if (!limits || payout.position <= BigInt(limits.since)) return undefined;
  return { amount: (-payout.amount).toString(), at: payout.registeredAt, ...payout.counted };
}

/** Which counters a payout is in, beside those of all payouts: it is given back to the same ones. */
export type CountedBy = Pick<LimitUse, 'to' | 'payee' | 'contact'>;

export function countedBy({ to, payee, contact }: LimitUse): CountedBy {
  return { ...(to && { to }), ...(payee && { payee }), ...(contact && { contact }) };
}

/** A counter after a use. What is given back to a period that is over is not counted anywhere. */
export function counted<C extends Counter>(
  counter: C | null | undefined,
  period: Omit<C, 'used'>,
  change: bigint,
): C | null {
  if (counter?.from === period.from) return { ...counter, used: (BigInt(counter.used) + change).toString() };
  return change < 0n ? (counter ?? null) : ({ ...period, used: change.toString() } as C);
}

/** The limits after an event that uses them. */
export function countUse(limits: PayoutLimits, use: LimitUse): PayoutLimits {
  const at = new Date(use.at);
  const amount = BigInt(use.amount);
  const { counters } = limits;
  const hour = counted(counters.hour, startOf(hourOf(at)), amount < 0n ? -1n : 1n);
  if (use.contact) return { ...limits, counters: { ...counters, hour } };
  const period = startOf(dayOrNightOf(at, nightStartAt(limits.terms, at)));
  const amounts = (before: AmountCounters) => countAmounts(before, period, at, amount);
  const apart = use.to && { [use.to]: amounts(counters[use.to] ?? NO_AMOUNTS_COUNTED) };
  return { ...limits, counters: { ...counters, ...amounts(counters), hour, ...apart } };
}

export function countAmounts(
  { dayOrNight, month }: AmountCounters,
  period: Omit<Counter, 'used'>,
  at: Date,
  amount: bigint,
): AmountCounters {
  return {
    dayOrNight: counted(dayOrNight, { from: period.from }, amount),
    month: counted(month, startOf(monthOf(at)), amount),
  };
}

const startOf = ({ from }: Period) => ({ from: from.toISOString() });

/** Limits that were set for the account itself. */
export function setNames(limits: PayoutLimits | null): readonly LimitName[] {
  if (!limits) return [];
  return limits.set ?? LIMIT_NAMES.filter((name) => !isDefault(limits.terms, name));
}

function isDefault(terms: LimitTerms, name: LimitName): boolean {
  const { value, next } = termOf(terms, name);
  return value === termOf(NO_LIMITS, name).value && next === undefined;
}

/**
 * Terms that follow newer defaults of the partner, where the account has no limit of its own; `undefined` where they
 * follow them already. An older revision, of a process that is behind, changes nothing.
 */
export function adoptedTerms(limits: PayoutLimits | null, defaults: DefaultLimits | undefined): LimitTerms | undefined {
  if (!defaults || (limits?.defaults ?? 0) >= defaults.revision) return undefined;
  const set = setNames(limits);
  return termsBy((name) => termOf(set.includes(name) ? limits!.terms : defaults.terms, name));
}

/** The limits as they are for the next payout. */
export function withDefaults(limits: PayoutLimits | null, defaults: DefaultLimits | undefined): PayoutLimits | null {
  const terms = adoptedTerms(limits, defaults);
  if (!terms) return limits;
  const set = setNames(limits);
  return { since: '0', counters: NONE_COUNTED, ...limits, terms, set, defaults: defaults!.revision };
}
