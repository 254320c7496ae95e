import type { AskedAmounts, LimitName } from '../../src/accounts/index.js';
import { AppError } from '../../src/platform/errors/index.js';

const SAO_PAULO = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
});
const HALF_A_DAY_MS = 12 * 3_600_000;

type Kind = 'dayOrNight' | 'calendarDay' | 'month' | 'hour';

/** The period of a moment by name, as a person would say it: `day 2026-11-20`, `night 2026-11-20`. */
function periodOf(kind: Kind, at: Date, nightStart: number): string {
  const [date, time] = SAO_PAULO.format(at).split(' ') as [string, string];
  const hour = Number(time.slice(0, 2));
  if (kind === 'calendarDay') return `day ${date}`;
  if (kind === 'month') return date.slice(0, 7);
  if (kind === 'hour') return `${date} ${hour}`;
  if (hour >= nightStart) return `night ${date}`;
  if (hour >= 6) return `day ${date}`;
  return `night ${SAO_PAULO.format(new Date(at.getTime() - HALF_A_DAY_MS)).slice(0, 10)}`;
}

/** What a refusal tells; `undefined` where there is none. */
export function refusalOf(act: () => void): { readonly reason: string; readonly scope?: string } | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return (error as unknown as { details: { reason: string } }).details;
    throw error;
  }
}

/** A refusal as `LimitModel.passed` names it: the reason, and whose limit it is. */
export const nameOf = ({ reason, scope }: { readonly reason: string; readonly scope?: string }) =>
  scope ? `${reason} ${scope}` : reason;

/** Centavos, or payouts; `null` is no limit. */
export type LimitValue = bigint | null;

export const limitText = (value: LimitValue) => value?.toString() ?? null;

export interface ModelPayout {
  readonly id: string;
  /** Tax number; `''` is nobody known. */
  readonly to: string;
  readonly at: Date;
  readonly amount: bigint;
  readonly asContact: boolean;
  readonly asPayee: boolean;
  counts: boolean;
  ended: boolean;
}

interface LimitModelTerms {
  /** Tax number of the account's holder. */
  readonly holder: string;
  /** How long a raise waits. */
  readonly raiseMs: number;
  /** How long a contact waits. */
  readonly contactMs: number;
  readonly nightStart: number;
}

const REASONS = { day: 'DayLimitExceeded', night: 'NightLimitExceeded' } as const;

/** The simplest limits that could be right: every payout there was, and every value that a limit has or will have. */
export class LimitModel {
  readonly payouts: ModelPayout[] = [];
  readonly contacts = new Map<string, { from: Date; limits: Record<keyof AskedAmounts, LimitValue> }>();
  readonly #values = new Map<LimitName, { from: number; value: LimitValue }[]>();
  readonly #terms: LimitModelTerms;
  #counting = false;

  constructor(terms: Pick<LimitModelTerms, 'holder'> & Partial<LimitModelTerms>) {
    this.#terms = { raiseMs: 0, contactMs: 0, nightStart: 20, ...terms };
  }

  limit(name: LimitName, at: Date): LimitValue {
    return this.#values.get(name)?.findLast(({ from }) => from <= at.getTime())?.value ?? null;
  }

  /** Lower at once, higher later; one that waits and is asked for again, or for less, keeps its moment. */
  set(name: LimitName, to: LimitValue, at: Date): void {
    const now = this.limit(name, at);
    const waits = this.#values.get(name)?.find(({ from }) => from > at.getTime());
    const isMore = (one: LimitValue, other: LimitValue) => other !== null && (one === null || one > other);
    if (!this.#counting && to === null) return;
    this.#counting = true;
    const later = waits && !isMore(to, waits.value) ? waits.from : at.getTime() + this.#terms.raiseMs;
    this.#values.set(name, [
      { from: 0, value: now },
      { from: isMore(to, now) ? later : at.getTime(), value: to },
    ]);
  }

  registerContact(who: string, limits: Record<keyof AskedAmounts, LimitValue>, at: Date): void {
    this.contacts.set(who, { from: new Date(at.getTime() + this.#terms.contactMs), limits });
  }

  isContact(to: string, at: Date): boolean {
    const contact = this.contacts.get(to);
    return contact !== undefined && contact.from <= at;
  }

  /** Names of the limits that a payout would pass, as `nameOf` says them. */
  passed(to: string, amount: bigint, at: Date): string[] {
    const { holder, nightStart } = this.#terms;
    const reasons: string[] = [];
    const check = (reason: string, limit: LimitValue, after: bigint) => {
      if (limit !== null && after > limit) reasons.push(reason);
    };
    const those = (period: Kind, counts: (payout: ModelPayout) => boolean) => {
      const now = periodOf(period, at, nightStart);
      return this.payouts.filter((one) => one.counts && counts(one) && periodOf(period, one.at, nightStart) === now);
    };
    const sum = (period: Kind, counts: (payout: ModelPayout) => boolean) =>
      those(period, counts).reduce((total, one) => total + one.amount, amount);
    const isLegal = to.length === 14;
    const now = periodOf('dayOrNight', at, nightStart).split(' ')[0] as 'day' | 'night';
    const its = isLegal ? 'day' : now;
    const period = isLegal ? 'calendarDay' : 'dayOrNight';
    const inHour = those('hour', () => true).length;
    check('PayoutsPerHourExceeded', this.limit('hour', at), BigInt(inHour + 1));
    if (this.isContact(to, at)) {
      const { limits: own } = this.contacts.get(to)!;
      const toIt = (one: ModelPayout) => one.asContact && one.to === to;
      check('PaymentLimitExceeded Contact', own.payment, amount);
      check(`${REASONS[its]} Contact`, own[its], sum(period, toIt));
      check('MonthLimitExceeded Contact', own.month, sum('month', toIt));
      return reasons;
    }
    const [group, scope] = to === holder ? ['own', 'Own'] : ['others', 'Others'];
    const apart = (one: ModelPayout) => !one.asContact && (one.to === holder) === (to === holder);
    for (const [prefix, suffix, counts] of [
      ['', '', (one: ModelPayout) => !one.asContact],
      [group, ` ${scope}`, apart],
    ] as const) {
      const limit = (name: string) => this.limit((prefix ? `${prefix}${capital(name)}` : name) as LimitName, at);
      check(`PaymentLimitExceeded${suffix}`, limit('payment'), amount);
      check(`${REASONS[now]}${suffix}`, limit(now), sum('dayOrNight', counts));
      check(`MonthLimitExceeded${suffix}`, limit('month'), sum('month', counts));
    }
    const payee = sum(period, (one) => one.asPayee && one.to === to);
    if (its === 'day') check('PayeeDayLimitExceeded', this.limit('payeeDay', at), payee);
    else check('PayeeNightLimitExceeded', this.limit('payeeNight', at), payee);
    return reasons;
  }

  accept(id: string, to: string, amount: bigint, at: Date): void {
    const asContact = this.isContact(to, at);
    const asPayee = !asContact && (this.limit('payeeDay', at) !== null || this.limit('payeeNight', at) !== null);
    this.payouts.push({ id, to, at, amount, asContact, asPayee, counts: this.#counting, ended: false });
  }

  /** What was not paid counts no more. */
  end(payout: ModelPayout, state: 'Completed' | 'Error' | 'Reversed'): void {
    payout.ended = true;
    if (state !== 'Completed') payout.counts = false;
  }
}

const capital = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`;
