import { ApiProperty } from '@nestjs/swagger';
import { type Json, WHOLE } from '../../../platform/http/index.js';
import {
  type AmountLimit,
  type LimitName,
  LIMIT_NAMES,
  NO_LIMITS,
  nightStartAt,
  termOf,
  valueAt,
} from '../../domain/limit-terms.js';
import { NO_AMOUNTS_COUNTED, type PaidTo, type PayoutLimits, setNames, usedIn } from '../../domain/payout-limits.js';
import { dayOrNightOf, hourOf, monthOf, type Period } from '../../domain/payout-periods.js';
import {
  AmountLimitView,
  NextNightStart,
  NIGHT_START,
  PayeeLimitView,
  PaymentLimitView,
  PayoutsLimitView,
  showHour,
  showNightStart,
  showTerm,
  showTotal,
} from './limit-view.js';

/** Limits of amounts, with what is used of them */
export class AmountLimitsView {
  readonly payment: PaymentLimitView;
  readonly day: AmountLimitView;
  readonly night: AmountLimitView;
  readonly month: AmountLimitView;
}

/** What one payee may get by day and by night. A legal person has the limit by day in a whole calendar day */
export class PayeeLimitsView {
  readonly day: PayeeLimitView;
  readonly night: PayeeLimitView;
}

export class PayoutLimitsView extends AmountLimitsView {
  readonly payoutsPerHour: PayoutsLimitView;
  /** America/Sao_Paulo; the night ends at 06:00 */
  @ApiProperty(NIGHT_START) readonly nightStartsAt: string;
  readonly nextNightStart: NextNightStart | null;
  /** Of payouts to the account's own holder; they hold beside those of all payouts */
  readonly own: AmountLimitsView;
  /** Of payouts to everybody else; they hold beside those of all payouts */
  readonly others: AmountLimitsView;
  readonly payee: PayeeLimitsView;
  /** Number of secure contacts, which have limits of their own */
  @ApiProperty(WHOLE) readonly contacts: number;
  /** Names of the limits that are the partner's defaults: the account has none of its own (`day`, `own.day` …) */
  readonly byDefault: string[];
}

export function showPayoutLimits(limits: PayoutLimits | null, at: Date): PayoutLimitsView {
  const terms = limits?.terms ?? NO_LIMITS;
  const counters = limits?.counters;
  const periods = dayAndNight(limits, at);
  const apart = (to: PaidTo): AmountLimitsView => {
    const its = counters && (counters[to] ?? NO_AMOUNTS_COUNTED);
    const total = (name: 'Day' | 'Night' | 'Month', period: Period) =>
      showTotal(termOf(terms, `${to}${name}`), name === 'Month' ? its?.month : its?.dayOrNight, period, at);
    return {
      payment: showTerm(termOf(terms, `${to}Payment`), at),
      day: total('Day', periods.day),
      night: total('Night', periods.night),
      month: total('Month', monthOf(at)),
    };
  };
  const hour = hourOf(at);
  const payouts = valueAt(terms.hour, at);
  const made = counters ? Number(usedIn(counters.hour, hour)) : null;
  const payee = (name: 'payeeDay' | 'payeeNight', { from, to }: Period): PayeeLimitView => ({
    ...showTerm(termOf(terms, name), at),
    from,
    to,
  });
  return {
    payment: showTerm(terms.payment, at),
    day: showTotal(terms.day, counters?.dayOrNight, periods.day, at),
    night: showTotal(terms.night, counters?.dayOrNight, periods.night, at),
    month: showTotal(terms.month, counters?.month, monthOf(at), at),
    payoutsPerHour: {
      ...showHour(terms.hour, at),
      used: made,
      left: payouts === null ? null : Math.max(0, Number(payouts) - (made ?? 0)),
      from: hour.from,
      to: hour.to,
    },
    ...showNightStart(terms.nightStart, at),
    own: apart('own'),
    others: apart('others'),
    payee: { day: payee('payeeDay', periods.day), night: payee('payeeNight', periods.night) },
    contacts: limits?.contacts ?? 0,
    byDefault: limits?.defaults === undefined ? [] : defaultNames(limits),
  };
}

/** The present day and the coming night, or the other way round: the hour of the night may be another by then. */
export function dayAndNight(limits: PayoutLimits | null, at: Date) {
  const terms = limits?.terms ?? NO_LIMITS;
  const now = dayOrNightOf(at, nightStartAt(terms, at));
  const coming = dayOrNightOf(now.to, nightStartAt(terms, now.to));
  return now.kind === 'day' ? { day: now, night: coming } : { day: coming, night: now };
}

function defaultNames(limits: PayoutLimits): string[] {
  const set = setNames(limits);
  const hasDefault = (name: LimitName) => {
    const { value, next } = termOf(limits.terms, name);
    return value !== termOf(NO_LIMITS, name).value || next !== undefined;
  };
  return LIMIT_NAMES.filter((name) => !set.includes(name) && hasDefault(name)).map(nameOf);
}

const MEMBERS: Partial<Record<LimitName, string>> = { hour: 'payoutsPerHour', nightStart: 'nightStartsAt' };

/** The member that shows a limit: `ownDay` is `own.day`. */
const nameOf = (name: LimitName) =>
  MEMBERS[name] ??
  name.replace(/^(own|others|payee)(.)/, (_all, group: string, first: string) => `${group}.${first.toLowerCase()}`);

const [DAY, NIGHT, MORNING] = [
  '2026-11-20T09:00:00.000Z',
  '2026-11-20T23:00:00.000Z',
  '2026-11-21T09:00:00.000Z',
] as const;

const none = { limit: null, next: null };
const MONTH = { from: '2026-11-01T03:00:00.000Z', to: '2026-12-01T03:00:00.000Z' };
const example = (limit: string | null, used: string, left: string | null, from: string, to: string) => ({
  limit,
  next: null,
  used,
  left,
  from,
  to,
});

export const AMOUNT_LIMITS_EXAMPLE: Json<AmountLimitsView> = {
  payment: none,
  day: example('20000.00', '500.00', '19500.00', DAY, NIGHT),
  night: example(null, '0.00', null, NIGHT, MORNING),
  month: example(null, '12000.00', null, MONTH.from, MONTH.to),
} satisfies Record<AmountLimit, object>;

export const PAYOUT_LIMITS_EXAMPLE: Json<PayoutLimitsView> = {
  payment: { limit: '1000.00', next: null },
  day: {
    ...example('5000.00', '1200.00', '3800.00', DAY, NIGHT),
    next: { limit: '8000.00', from: '2026-11-21T14:04:05.123Z' },
  },
  night: example('1000.00', '0.00', '1000.00', NIGHT, MORNING),
  month: example(null, '40200.00', null, MONTH.from, MONTH.to),
  payoutsPerHour: {
    limit: 100,
    next: null,
    used: 3,
    left: 97,
    from: '2026-11-20T14:00:00.000Z',
    to: '2026-11-20T15:00:00.000Z',
  },
  nightStartsAt: '20:00',
  nextNightStart: null,
  own: {
    payment: none,
    day: example(null, '500.00', null, DAY, NIGHT),
    night: example(null, '0.00', null, NIGHT, MORNING),
    month: example(null, '500.00', null, MONTH.from, MONTH.to),
  },
  others: {
    payment: none,
    day: example('3000.00', '700.00', '2300.00', DAY, NIGHT),
    night: example(null, '0.00', null, NIGHT, MORNING),
    month: example(null, '39700.00', null, MONTH.from, MONTH.to),
  },
  payee: {
    day: { limit: '1000.00', next: null, from: DAY, to: NIGHT },
    night: { limit: null, next: null, from: NIGHT, to: MORNING },
  },
  contacts: 2,
  byDefault: ['night', 'others.day'],
};
