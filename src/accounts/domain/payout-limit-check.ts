import { formatAmount } from '../../platform/money.js';
import { type AmountLimit, limitsPayees, type LimitTerm, nightStartAt, termOf, valueAt } from './limit-terms.js';
import { type Payee, payeeUseOf } from './payees.js';
import {
  DayLimitExceeded,
  type LimitRefusal,
  type LimitScope,
  MonthLimitExceeded,
  NightLimitExceeded,
  PayeeDayLimitExceeded,
  PayeeNightLimitExceeded,
  PaymentLimitExceeded,
  PayoutsPerHourExceeded,
} from './payout-limit.errors.js';
import {
  type AmountCounters,
  leftOf,
  type LimitUse,
  NO_AMOUNTS_COUNTED,
  type PaidTo,
  type PayoutLimits,
  usedIn,
} from './payout-limits.js';
import { dayOrNightOf, hourOf, monthOf, payeePeriodOf, type Period } from './payout-periods.js';
import { isInForce } from './secure-contact.js';

/** A payout that is to be accepted. */
export interface AskedPayout {
  /** Centavos. */
  readonly amount: bigint;
  readonly payee: Payee;
  readonly at: Date;
}

type DayOrNight = ReturnType<typeof dayOrNightOf>;

/**
 * What a payout counts against. Every limit that applies must hold: those of all payouts, those of payouts to the
 * holder or to others, that of the payee. Of a secure contact its own hold instead, and the number of payouts in an
 * hour.
 * @throws OperationError where it would pass a limit: it says what is left, and from when all of it is again
 */
export function useWithinLimits(limits: PayoutLimits, payout: AskedPayout): LimitUse {
  const { amount, payee, at } = payout;
  const nightStart = nightStartAt(limits.terms, at);
  const use = { amount: amount.toString(), at: at.toISOString() };
  const period = payeePeriodOf(at, payee.person, nightStart);
  if (payee.contact && isInForce(payee.contact, at)) {
    assertHour(limits, at);
    const { terms, counters } = payee.contact;
    assertAmounts((name) => terms[name], counters, payout, period, 'Contact');
    return { ...use, contact: payeeUseOf(payee, period) };
  }
  const { terms } = limits;
  assertOfAccount(limits, payout, payee.to);
  if (!limitsPayees(terms)) return { ...use, to: payee.to };
  const limit = termOf(terms, period.kind === 'day' ? 'payeeDay' : 'payeeNight');
  const refusal = refusalOf(limit, payee.used(period), payout, period);
  if (refusal) throw period.kind === 'day' ? new PayeeDayLimitExceeded(refusal) : new PayeeNightLimitExceeded(refusal);
  return { ...use, to: payee.to, payee: payeeUseOf(payee, period) };
}

/**
 * Limits of the account, which hold for every payout that is not to a secure contact.
 * @param to absent: of a version before there were limits apart
 * @throws as `useWithinLimits`
 */
export function assertOfAccount(limits: PayoutLimits, payout: Pick<AskedPayout, 'amount' | 'at'>, to?: PaidTo): void {
  const { terms, counters } = limits;
  const now = dayOrNightOf(payout.at, nightStartAt(terms, payout.at));
  assertHour(limits, payout.at);
  assertAmounts((name) => terms[name], counters, payout, now);
  if (!to) return;
  const apart = to === 'own' ? OWN : OTHERS;
  const ofApart = counters[to] ?? NO_AMOUNTS_COUNTED;
  assertAmounts((name) => termOf(terms, apart[name]), ofApart, payout, now, apart.scope);
}

const OWN = { scope: 'Own', payment: 'ownPayment', day: 'ownDay', night: 'ownNight', month: 'ownMonth' } as const;
const OTHERS = {
  scope: 'Others',
  payment: 'othersPayment',
  day: 'othersDay',
  night: 'othersNight',
  month: 'othersMonth',
} as const;

function assertPayment(term: LimitTerm, amount: bigint, at: Date, scope?: LimitScope): void {
  const single = valueAt(term, at);
  if (single === null || amount <= BigInt(single)) return;
  throw new PaymentLimitExceeded({ limit: formatAmount(BigInt(single)), ...(scope && { scope }) });
}

export function assertHour({ terms, counters }: PayoutLimits, at: Date): void {
  const hour = hourOf(at);
  const payouts = valueAt(terms.hour, at);
  if (payouts === null || usedIn(counters.hour, hour) + 1n <= BigInt(payouts)) return;
  throw new PayoutsPerHourExceeded({ limit: payouts, left: '0', from: hour.to.toISOString() });
}

/** One payout, day or night, month. */
function assertAmounts(
  termFor: (name: AmountLimit) => LimitTerm,
  counters: AmountCounters,
  payout: Pick<AskedPayout, 'amount' | 'at'>,
  now: DayOrNight,
  scope?: LimitScope,
): void {
  assertPayment(termFor('payment'), payout.amount, payout.at, scope);
  const refusal = refusalOf(termFor(now.kind), usedIn(counters.dayOrNight, now), payout, now, scope);
  if (refusal) throw now.kind === 'day' ? new DayLimitExceeded(refusal) : new NightLimitExceeded(refusal);
  const month = monthOf(payout.at);
  const monthly = refusalOf(termFor('month'), usedIn(counters.month, month), payout, month, scope);
  if (monthly) throw new MonthLimitExceeded(monthly);
}

function refusalOf(
  term: LimitTerm,
  used: bigint,
  { amount, at }: Pick<AskedPayout, 'amount' | 'at'>,
  period: Period,
  scope?: LimitScope,
): LimitRefusal | undefined {
  const limit = valueAt(term, at);
  if (limit === null) return undefined;
  const left = leftOf(BigInt(limit), used);
  if (amount <= left) return undefined;
  return {
    limit: formatAmount(BigInt(limit)),
    left: formatAmount(left),
    from: period.to.toISOString(),
    ...(scope && { scope }),
  };
}
