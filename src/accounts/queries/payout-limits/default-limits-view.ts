import { ApiProperty } from '@nestjs/swagger';
import type { Json } from '../../../platform/http/index.js';
import { type DefaultLimits, NO_LIMITS, termOf } from '../../domain/limit-terms.js';
import {
  HourLimitView,
  NextNightStart,
  NIGHT_START,
  PaymentLimitView,
  showHour,
  showNightStart,
  showTerm,
} from './limit-view.js';

export class AmountDefaultsView {
  readonly payment: PaymentLimitView;
  readonly day: PaymentLimitView;
  readonly night: PaymentLimitView;
  readonly month: PaymentLimitView;
}

export class PayeeDefaultsView {
  readonly day: PaymentLimitView;
  readonly night: PaymentLimitView;
}

/** Limits of each of a partner's accounts that has none of its own. */
export class DefaultLimitsView extends AmountDefaultsView {
  readonly payoutsPerHour: HourLimitView;
  /** America/Sao_Paulo; the night ends at 06:00 */
  @ApiProperty(NIGHT_START) readonly nightStartsAt: string;
  readonly nextNightStart: NextNightStart | null;
  /** Of payouts to the account's own holder; they hold beside those of all payouts */
  readonly own: AmountDefaultsView;
  /** Of payouts to everybody else; they hold beside those of all payouts */
  readonly others: AmountDefaultsView;
  readonly payee: PayeeDefaultsView;
}

export function showDefaultLimits(defaults: DefaultLimits | undefined, at: Date): DefaultLimitsView {
  const terms = defaults?.terms ?? NO_LIMITS;
  const shown = (name: Parameters<typeof termOf>[1]) => showTerm(termOf(terms, name), at);
  const apart = (to: 'own' | 'others') => ({
    payment: shown(`${to}Payment`),
    day: shown(`${to}Day`),
    night: shown(`${to}Night`),
    month: shown(`${to}Month`),
  });
  return {
    payment: shown('payment'),
    day: shown('day'),
    night: shown('night'),
    month: shown('month'),
    payoutsPerHour: showHour(terms.hour, at),
    ...showNightStart(terms.nightStart, at),
    own: apart('own'),
    others: apart('others'),
    payee: { day: shown('payeeDay'), night: shown('payeeNight') },
  };
}

const none = { limit: null, next: null };
const NONE = { payment: none, day: none, night: none, month: none };

export const DEFAULT_LIMITS_EXAMPLE: Json<DefaultLimitsView> = {
  ...NONE,
  night: { limit: '1000.00', next: null },
  payoutsPerHour: none,
  nightStartsAt: '20:00',
  nextNightStart: null,
  own: NONE,
  others: { ...NONE, day: { limit: '3000.00', next: null } },
  payee: { day: none, night: none },
};
