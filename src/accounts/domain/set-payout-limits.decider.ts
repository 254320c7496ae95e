import type { NewEvent } from '../../event-store/index.js';
import type { Account } from './account.js';
import {
  type AskedLimits,
  changedTerms,
  type ChangeTime,
  type DefaultLimits,
  LIMIT_NAMES,
  NO_LIMITS,
} from './limit-terms.js';
import type { Partner } from './partner.js';
import { DefaultPayoutLimitsChanged, PayoutLimitsChanged } from './payout-limit.events.js';
import { adoptedTerms, type PayoutLimits, setNames, withDefaults } from './payout-limits.js';

/**
 * No event where everything stays as it is. What is asked for is the account's own from then on, whatever it is: also
 * that there is no such limit, once something is counted.
 */
export function decidePayoutLimits(
  account: Account,
  asked: AskedLimits,
  time: ChangeTime,
  defaults?: DefaultLimits,
): readonly NewEvent[] {
  const { uid, version, payoutLimits } = account;
  const before = withDefaults(payoutLimits, defaults);
  const terms = changedTerms(before?.terms ?? null, asked, time);
  const wasSet = setNames(before);
  const set = LIMIT_NAMES.filter((name) => wasSet.includes(name) || asked[name] !== undefined);
  const isSame = isSameAs(terms, changedTerms(before?.terms ?? null, {}, time));
  if (isSame && (before === null || set.length === wasSet.length)) return [];
  return [changed(uid, version, { terms, set, ...following(before) })];
}

/** Follows the partner's newest defaults, before a payout that they hold for. */
export function followDefaults(account: Account, defaults: DefaultLimits | undefined): readonly NewEvent[] {
  const { uid, version, payoutLimits } = account;
  const terms = adoptedTerms(payoutLimits, defaults);
  if (!terms) return [];
  return [changed(uid, version, { terms, set: setNames(payoutLimits), defaults: defaults!.revision })];
}

/** The night of defaults never moves at once: accounts may have counted by it already. */
export function decideDefaultLimits(
  { uid, settings, version }: Partner,
  asked: AskedLimits,
  time: ChangeTime,
): readonly NewEvent[] {
  const before = settings.payoutLimits?.terms ?? NO_LIMITS;
  const terms = changedTerms(before, asked, time);
  if (isSameAs(terms, changedTerms(before, {}, time))) return [];
  return [DefaultPayoutLimitsChanged.create(`partner-${uid}`, version + 1, { uid, terms })];
}

type Change = Omit<Parameters<typeof PayoutLimitsChanged.create>[2], 'uid'>;

const changed = (uid: string, version: number, change: Change) =>
  PayoutLimitsChanged.create(`account-${uid}`, version + 1, { uid, ...change });

const following = (limits: PayoutLimits | null) =>
  limits?.defaults === undefined ? {} : { defaults: limits.defaults };

const isSameAs = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
