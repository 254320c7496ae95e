import { ApiProperty } from '@nestjs/swagger';
import { AMOUNT, type Json, WHOLE } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import {
  type Counter,
  leftOf,
  type Limited,
  type LimitTerm,
  type LimitValue,
  NO_LIMITS,
  nightStartAt,
  type PayoutLimits,
  usedIn,
  valueAt,
} from '../../domain/payout-limits.js';
import { dayOrNightOf, hourOf, monthOf, type Period } from '../../domain/payout-periods.js';

const NIGHT_START = { enum: ['20:00', '22:00'], enumName: 'NightStart' };

/** What a limit will be raised to; null there is no limit */
export class NextAmountLimit {
  @ApiProperty(AMOUNT) readonly limit: string | null;
  readonly from: Date;
}

export class PaymentLimitView {
  @ApiProperty(AMOUNT) readonly limit: string | null;
  readonly next: NextAmountLimit | null;
}

/** A limit of all payouts of a period: the present one, or of day and night the one that is not now, the coming one */
export class AmountLimitView extends PaymentLimitView {
  /** Null where the account never had a limit: then nothing is counted */
  @ApiProperty(AMOUNT) readonly used: string | null;
  @ApiProperty(AMOUNT) readonly left: string | null;
  readonly from: Date;
  readonly to: Date;
}

export class NextPayoutsLimit {
  @ApiProperty(WHOLE) readonly limit: number | null;
  readonly from: Date;
}

export class PayoutsLimitView {
  @ApiProperty(WHOLE) readonly limit: number | null;
  readonly next: NextPayoutsLimit | null;
  @ApiProperty(WHOLE) readonly used: number | null;
  @ApiProperty(WHOLE) readonly left: number | null;
  readonly from: Date;
  readonly to: Date;
}

export class NextNightStart {
  @ApiProperty(NIGHT_START) readonly nightStartsAt: string;
  readonly from: Date;
}

export class PayoutLimitsView {
  readonly payment: PaymentLimitView;
  readonly day: AmountLimitView;
  readonly night: AmountLimitView;
  readonly month: AmountLimitView;
  readonly payoutsPerHour: PayoutsLimitView;
  /** America/Sao_Paulo; the night ends at 06:00 */
  @ApiProperty(NIGHT_START) readonly nightStartsAt: string;
  readonly nextNightStart: NextNightStart | null;
}

export function showPayoutLimits(limits: PayoutLimits | null, at: Date): PayoutLimitsView {
  const terms = limits?.terms ?? NO_LIMITS;
  const counters = limits?.counters;
  const nightStart = nightStartAt(terms, at);
  const total = (limited: Limited, counter: Counter | null | undefined, period: Period): AmountLimitView => {
    const limit = valueAt(terms[limited], at);
    const used = counter === undefined ? null : usedIn(counter, period);
    return {
      ...shownAmount(terms[limited], at),
      used: used === null ? null : formatAmount(used),
      left: limit === null ? null : formatAmount(leftOf(BigInt(limit), used ?? 0n)),
      from: period.from,
      to: period.to,
    };
  };
  const now = dayOrNightOf(at, nightStart);
  const coming = dayOrNightOf(now.to, nightStart);
  const [day, night] = now.kind === 'day' ? [now, coming] : [coming, now];
  const hour = hourOf(at);
  const payouts = valueAt(terms.hour, at);
  const made = counters ? Number(usedIn(counters.hour, hour)) : null;
  const nextStart = waiting(terms.nightStart, at);
  return {
    payment: shownAmount(terms.payment, at),
    day: total('day', counters?.dayOrNight, day),
    night: total('night', counters?.dayOrNight, night),
    month: total('month', counters?.month, monthOf(at)),
    payoutsPerHour: {
      limit: numberOf(payouts),
      next: nextOf(terms.hour, at, numberOf),
      used: made,
      left: payouts === null ? null : Math.max(0, Number(payouts) - (made ?? 0)),
      from: hour.from,
      to: hour.to,
    },
    nightStartsAt: `${nightStart}:00`,
    nextNightStart: nextStart ? { nightStartsAt: `${nextStart.value}:00`, from: new Date(nextStart.from) } : null,
  };
}

function shownAmount(term: LimitTerm, at: Date): PaymentLimitView {
  return { limit: amountOf(valueAt(term, at)), next: nextOf(term, at, amountOf) };
}

function nextOf<T>(term: LimitTerm, at: Date, shown: (value: LimitValue) => T): { limit: T; from: Date } | null {
  const next = waiting(term, at);
  return next ? { limit: shown(next.value), from: new Date(next.from) } : null;
}

function waiting({ next }: LimitTerm, at: Date): LimitTerm['next'] {
  return next && Date.parse(next.from) > at.getTime() ? next : undefined;
}

const amountOf = (value: LimitValue) => (value === null ? null : formatAmount(BigInt(value)));
const numberOf = (value: LimitValue) => (value === null ? null : Number(value));

const [DAY, NIGHT, MORNING] = [
  '2026-11-20T09:00:00.000Z',
  '2026-11-20T23:00:00.000Z',
  '2026-11-21T09:00:00.000Z',
] as const;

export const PAYOUT_LIMITS_EXAMPLE: Json<PayoutLimitsView> = {
  payment: { limit: '1000.00', next: null },
  day: {
    limit: '5000.00',
    next: { limit: '8000.00', from: '2026-11-21T14:04:05.123Z' },
    used: '1200.00',
    left: '3800.00',
    from: DAY,
    to: NIGHT,
  },
  night: { limit: '1000.00', next: null, used: '0.00', left: '1000.00', from: NIGHT, to: MORNING },
  month: {
    limit: null,
    next: null,
    used: '40200.00',
    left: null,
    from: '2026-11-01T03:00:00.000Z',
    to: '2026-12-01T03:00:00.000Z',
  },
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
};
