import { amountLimits, type PartnerSettings } from '../../../accounts/index.js';
import {
  AccountDigitIsRequired,
  AccountTypeNotAvailable,
  CashOutNotAvailable,
  KeyAccountCheckNotAvailable,
} from '../../domain/errors.js';
import type { CashOutTerms } from '../../domain/cash-out.decider.js';
import type { PixRail } from '../../rails/pix-rail.js';
import type { ToRecipient } from '../requested-cash-out.js';

/** What the rail cannot do, or check, is refused before anything is held. */
export function assertCanBeSent(
  { capabilities: { sends, namesPayments } }: PixRail,
  { method, recipient }: Pick<ToRecipient, 'method' | 'recipient'>,
  accountDecides: boolean,
): void {
  if (!sends) throw new CashOutNotAvailable();
  if (!namesPayments) return;
  if (method === 'KeyAndAccount') {
    if (!accountDecides) throw new KeyAccountCheckNotAvailable();
    if (recipient.account?.digit === '') throw new AccountDigitIsRequired();
  }
  const type = recipient.account?.type;
  if (type && !namesPayments.accountTypes.includes(type)) throw new AccountTypeNotAvailable(type);
}

/** What the operator's settings say of payouts. */
export function payoutTerms(
  settings: PartnerSettings,
): Pick<CashOutTerms, 'limits' | 'nightMaximum' | 'charges' | 'defaults'> {
  const { cashOutMinimum, cashOutMaximum, cashOutNightMaximum, cashOutCharge, payoutLimits } = settings;
  return {
    limits: amountLimits(cashOutMinimum, cashOutMaximum),
    nightMaximum: cashOutNightMaximum === null ? null : BigInt(cashOutNightMaximum),
    charges: BigInt(cashOutCharge),
    defaults: payoutLimits,
  };
}
