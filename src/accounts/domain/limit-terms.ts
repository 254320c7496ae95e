import { nextMorning, type NightStart } from './payout-periods.js';

/** Limits of amounts, for whomever they are set. */
const AMOUNT_LIMITS = ['payment', 'day', 'night', 'month'] as const;
export type AmountLimit = (typeof AMOUNT_LIMITS)[number];

/**
 * What limits are set for: one payout, the payouts of a day, a night, a month together, the number of them in an hour.
 */
const LIMITED = [...AMOUNT_LIMITS, 'hour'] as const;

/**
 * Limits of payouts to the account's own holder, to all others, and to one payee. They hold beside those of all
 * payouts.
 */
const APART = [
  'ownPayment',
  'ownDay',
  'ownNight',
  'ownMonth',
  'othersPayment',
  'othersDay',
  'othersNight',
  'othersMonth',
  'payeeDay',
  'payeeNight',
] as const;
type Apart = (typeof APART)[number];

const ALWAYS = [...LIMITED, 'nightStart'] as const;
export const LIMIT_NAMES = [...ALWAYS, ...APART] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];

/** Centavos or payouts, in decimal text; `null` is no limit. `nightStart` is an hour, and never `null`. */
export type LimitValue = string | null;

/** A limit as it stands, and what it will be raised to. */
export interface LimitTerm {
  readonly value: LimitValue;
  /** `from` is ISO 8601. */
  readonly next?: { readonly value: LimitValue; readonly from: string };
}

/** Those that are set apart are absent where there is none. */
export type LimitTerms = Readonly<Record<(typeof ALWAYS)[number], LimitTerm> & Partial<Record<Apart, LimitTerm>>>;

/** Limits of a secure contact. */
export type AmountTerms = Readonly<Record<AmountLimit, LimitTerm>>;

/** Those that are absent stay as they are. */
export type AskedLimits = Partial<Record<LimitName, LimitValue>>;

/** The same for a contact. */
export type AskedAmounts = Partial<Record<AmountLimit, LimitValue>>;

/** What the accounts of a partner have where they have no limit of their own. */
export interface DefaultLimits {
  /** Grows with each change. */
  readonly revision: number;
  readonly terms: LimitTerms;
}

const NONE: LimitTerm = { value: null };

export const NO_AMOUNTS: AmountTerms = { payment: NONE, day: NONE, night: NONE, month: NONE };
export const NO_LIMITS: LimitTerms = { ...NO_AMOUNTS, hour: NONE, nightStart: { value: '20' } };

export function termOf(terms: LimitTerms, name: LimitName): LimitTerm {
  return terms[name] ?? NONE;
}

/** What a limit is at a moment. */
export function valueAt({ value, next }: LimitTerm, at: Date): LimitValue {
  return next && Date.parse(next.from) <= at.getTime() ? next.value : value;
}

export function nightStartAt(terms: LimitTerms, at: Date): NightStart {
  return Number(valueAt(terms.nightStart, at)) as NightStart;
}

/** Whether payouts to each payee are to be counted: a limit is there, or waits to be raised to another. */
export function limitsPayees({ payeeDay, payeeNight }: LimitTerms): boolean {
  return payeeDay !== undefined || payeeNight !== undefined;
}

/** When limits are changed, and how long a raise waits. */
export interface ChangeTime {
  readonly at: Date;
  readonly delayMs: number;
}

/**
 * The terms after a change. What is lowered is lowered at once; what is raised is raised after the delay. One that
 * waits already and is asked for again, or for less, keeps its moment. The night's start changes between a night and a
 * day.
 * @param before `null` where nothing is counted yet
 */
export function changedTerms(before: LimitTerms | null, asked: AskedLimits, time: ChangeTime): LimitTerms {
  const terms = before ?? NO_LIMITS;
  return termsBy((name) =>
    name === 'nightStart'
      ? changedStart(terms.nightStart, asked.nightStart, time, before === null)
      : changedTerm(termOf(terms, name), asked[name], time),
  );
}

/** The same for limits of a contact. */
export function changedAmounts(before: AmountTerms, asked: AskedAmounts, time: ChangeTime): AmountTerms {
  return {
    payment: changedTerm(before.payment, asked.payment, time),
    day: changedTerm(before.day, asked.day, time),
    night: changedTerm(before.night, asked.night, time),
    month: changedTerm(before.month, asked.month, time),
  };
}

/** Terms with a term of each name; those apart only where they say something. */
export function termsBy(term: (name: LimitName) => LimitTerm): LimitTerms {
  const all = LIMIT_NAMES.map((name) => [name, term(name)] as const);
  const kept = all.filter(([name, { value, next }]) => name in NO_LIMITS || value !== null || next !== undefined);
  return Object.fromEntries(kept) as unknown as LimitTerms;
}

/** What waits to come into force. */
export function waitingAt({ next }: LimitTerm, at: Date): LimitTerm['next'] {
  return next && Date.parse(next.from) > at.getTime() ? next : undefined;
}

function standing(term: LimitTerm, at: Date): LimitTerm {
  const next = waitingAt(term, at);
  return { value: valueAt(term, at), ...(next && { next }) };
}

function changedTerm(term: LimitTerm, target: LimitValue | undefined, { at, delayMs }: ChangeTime): LimitTerm {
  const now = standing(term, at);
  if (target === undefined) return now;
  if (delayMs === 0 || !isAbove(target, now.value)) return { value: target };
  const from =
    now.next && !isAbove(target, now.next.value) ? now.next.from : new Date(at.getTime() + delayMs).toISOString();
  return { value: now.value, next: { value: target, from } };
}

function changedStart(
  term: LimitTerm,
  target: LimitValue | undefined,
  { at, delayMs }: ChangeTime,
  isFirst: boolean,
): LimitTerm {
  const now = standing(term, at);
  if (target === undefined) return now;
  if (target === now.value || isFirst) return { value: target };
  if (now.next?.value === target) return now;
  const later = isAbove(target, now.value) ? new Date(at.getTime() + delayMs) : at;
  return { value: now.value, next: { value: target, from: nextMorning(later).toISOString() } };
}

/** Whether a limit lets more through than another. */
function isAbove(one: LimitValue, other: LimitValue): boolean {
  if (other === null) return false;
  return one === null || BigInt(one) > BigInt(other);
}
