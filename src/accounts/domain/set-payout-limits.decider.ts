import type { NewEvent } from '../../event-store/index.js';
import type { Account } from './account.js';
import { PayoutLimitsChanged } from './payout-limit.events.js';
import { type AskedLimits, changedTerms, type ChangeTime } from './payout-limits.js';

/** No event where everything stays as it is. */
export function decidePayoutLimits(account: Account, asked: AskedLimits, time: ChangeTime): readonly NewEvent[] {
  const { uid, version, payoutLimits } = account;
  const terms = changedTerms(payoutLimits, asked, time);
  if (JSON.stringify(terms) === JSON.stringify(changedTerms(payoutLimits, {}, time))) return [];
  return [PayoutLimitsChanged.create(`account-${uid}`, version + 1, { uid, terms })];
}
