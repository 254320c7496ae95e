import type { Contradiction, EventOf, RecordedEvent } from '../../event-store/index.js';
import { AppError } from '../../platform/errors/index.js';
import { smaller } from '../../platform/money.js';
import type { Account } from './account.js';
import { differs } from './contradicted.js';
import { HoldPlaced } from './hold.events.js';
import { type LimitName, type LimitTerms, termOf } from './limit-terms.js';
import { limitUseOf, PayoutLimitsChanged } from './payout-limit.events.js';
import { assertHour, assertOfAccount } from './payout-limit-check.js';
import { setNames } from './payout-limits.js';

/** Types of events by which a payout is accepted. */
const acceptances = new Set<string>();

/** Names an event type by which a payout is accepted. Modules call it where they declare their events. */
export function acceptsPayouts({ type }: { readonly type: string }): void {
  acceptances.add(type);
}

/** Types of events that move money of active accounts only. */
const betweenActive = new Set<string>();

/** Names an event type by which money is moved on active accounts only. Modules call it where they declare theirs. */
export function needsActive({ type }: { readonly type: string }): void {
  betweenActive.add(type);
}

/**
 * What an event contradicts of the account that it was decided on. Lanes decide on rows: somebody may have changed one,
 * and put it back. Limits of a payee and of a secure contact are not looked at.
 */
export function contradictionOf(account: Account | undefined, event: RecordedEvent): Contradiction | undefined {
  if (!account) return undefined;
  if (acceptances.has(event.type)) return ofPayout(account, event);
  if (betweenActive.has(event.type)) return ofStatus(account);
  if (HoldPlaced.is(event)) return ofPlaced(account, event.data);
  return PayoutLimitsChanged.is(event) ? ofChange(account, event.data.terms, event.metadata.actor) : undefined;
}

function ofStatus({ status }: Account): Contradiction | undefined {
  return differs('status', 'Active', status);
}

/** A hold takes what is there, up to its amount. */
function ofPlaced(
  { available }: Account,
  { amount, filled }: EventOf<typeof HoldPlaced>['data'],
): Contradiction | undefined {
  return differs('filled', smaller(available, BigInt(amount)).toString(), filled);
}

function ofPayout(account: Account, event: RecordedEvent): Contradiction | undefined {
  const inactive = ofStatus(account);
  if (inactive) return inactive;
  const { payoutLimits } = account;
  if (!payoutLimits) return undefined;
  const use = limitUseOf(event);
  const { amount } = event.data as { readonly amount: string };
  if (use?.amount !== amount) {
    return { field: 'limitUse', expected: `${amount} counted against the limits`, found: use?.amount ?? 'nothing' };
  }
  const payout = { amount: BigInt(amount), at: new Date(use.at) };
  try {
    if (use.contact) assertHour(payoutLimits, payout.at);
    else assertOfAccount(payoutLimits, payout, use.to);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { field: 'limitUse', expected: 'a payout within the limits', found: error.message };
  }
}

/** Only operators change the limits that an account has of its own; a payout makes the others follow the defaults. */
function ofChange({ payoutLimits }: Account, terms: LimitTerms, actor: string): Contradiction | undefined {
  if (!payoutLimits || actor.startsWith('operator:')) return undefined;
  const of = (some: LimitTerms, name: LimitName) => JSON.stringify(termOf(some, name));
  const changed = setNames(payoutLimits).find((name) => of(terms, name) !== of(payoutLimits.terms, name));
  if (!changed) return undefined;
  return { field: `terms.${changed}`, expected: 'the limit that the operator set', found: 'another one' };
}
