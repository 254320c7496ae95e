import { ApiProperty } from '@nestjs/swagger';
import { AMOUNT, WHOLE } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { type LimitTerm, type LimitValue, valueAt, waitingAt } from '../../domain/limit-terms.js';
import { type Counter, leftOf, usedIn } from '../../domain/payout-limits.js';
import type { Period } from '../../domain/payout-periods.js';

export const NIGHT_START = { enum: ['20:00', '22:00'], enumName: 'NightStart' };

/** What a limit will be raised to; null there is no limit */
export class NextAmountLimit {
  @ApiProperty(AMOUNT) readonly limit: string | null;
  readonly from: Date;
}

export class PaymentLimitView {
  @ApiProperty(AMOUNT) readonly limit: string | null;
  readonly next: NextAmountLimit | null;
}

/** A limit of what one payee gets: each has the whole of it. Refusals tell what is left of it */
export class PayeeLimitView extends PaymentLimitView {
  readonly from: Date;
  readonly to: Date;
}

/** A limit of all payouts of a period: the present one, or of day and night the one that is not now, the coming one */
export class AmountLimitView extends PayeeLimitView {
  /** Null where the account never had a limit: then nothing is counted */
  @ApiProperty(AMOUNT) readonly used: string | null;
  @ApiProperty(AMOUNT) readonly left: string | null;
}

export class NextPayoutsLimit {
  @ApiProperty(WHOLE) readonly limit: number | null;
  readonly from: Date;
}

export class HourLimitView {
  @ApiProperty(WHOLE) readonly limit: number | null;
  readonly next: NextPayoutsLimit | null;
}

export class PayoutsLimitView extends HourLimitView {
  @ApiProperty(WHOLE) readonly used: number | null;
  @ApiProperty(WHOLE) readonly left: number | null;
  readonly from: Date;
  readonly to: Date;
}

export class NextNightStart {
  @ApiProperty(NIGHT_START) readonly nightStartsAt: string;
  readonly from: Date;
}

export function showTerm(term: LimitTerm, at: Date): PaymentLimitView {
  return { limit: amountOf(valueAt(term, at)), next: nextOf(term, at, amountOf) };
}

/** @param counter `undefined` where nothing is counted */
export function showTotal(
  term: LimitTerm,
  counter: Counter | null | undefined,
  { from, to }: Period,
  at: Date,
): AmountLimitView {
  const limit = valueAt(term, at);
  const used = counter === undefined ? null : usedIn(counter, { from });
  return {
    ...showTerm(term, at),
    used: used === null ? null : formatAmount(used),
    left: limit === null ? null : formatAmount(leftOf(BigInt(limit), used ?? 0n)),
    from,
    to,
  };
}

export function showHour(term: LimitTerm, at: Date): HourLimitView {
  return { limit: numberOf(valueAt(term, at)), next: nextOf(term, at, numberOf) };
}

export function showNightStart(term: LimitTerm, at: Date) {
  const next = waitingAt(term, at);
  return {
    nightStartsAt: `${valueAt(term, at)}:00`,
    nextNightStart: next ? { nightStartsAt: `${next.value}:00`, from: new Date(next.from) } : null,
  };
}

function nextOf<T>(term: LimitTerm, at: Date, shown: (value: LimitValue) => T): { limit: T; from: Date } | null {
  const next = waitingAt(term, at);
  return next ? { limit: shown(next.value), from: new Date(next.from) } : null;
}

const amountOf = (value: LimitValue) => (value === null ? null : formatAmount(BigInt(value)));
const numberOf = (value: LimitValue) => (value === null ? null : Number(value));
