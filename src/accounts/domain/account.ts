import { createHash } from 'node:crypto';
import type { RecordedEvent, Sealed } from '../../event-store/index.js';
import {
  AccountActivated,
  type AccountClass,
  AccountDeactivated,
  AccountOpened,
  type AccountStatus,
  type AccountType,
  type Holder,
} from './account.events.js';
import { accountOfHold, type Filling, fillingAfter } from './filling.js';
import { NO_LIMITS } from './limit-terms.js';
import { limitUseOf, PayoutLimitsChanged } from './payout-limit.events.js';
import { countUse, NONE_COUNTED, type PayoutLimits } from './payout-limits.js';
import { SecureContactChanged, SecureContactRegistered, SecureContactRemoved } from './secure-contact.events.js';
import { type Balances, type MovesMoney, movesMoney, type SystemAccount } from './posting.js';

/** An account at a position of the log. Balances are centavos. */
export interface Account extends Balances {
  readonly partnerUid: string;
  /** The kind of system account, or `null` for an account of the partner. */
  readonly system: SystemAccount | null;
  readonly holder: Sealed<Holder> | null;
  readonly type: AccountType;
  readonly class: AccountClass;
  readonly status: AccountStatus;
  readonly openedAt: Date;
  /** Holds that wait for credits, in the order in which they were made. */
  readonly filling: readonly Filling[] | null;
  /** Version of the account's stream; 0 for a system account, which has none. */
  readonly version: number;
  /** Limits of payouts and what counts against them; `null` where none was ever set. */
  readonly payoutLimits: PayoutLimits | null;
}

const EMPTY = { available: 0n, held: 0n, blocked: 0n, entries: 0 };
/** Of its own stream: they move nothing. */
const OWN_EVENTS = [
  AccountOpened,
  AccountDeactivated,
  AccountActivated,
  PayoutLimitsChanged,
  SecureContactRegistered,
  SecureContactChanged,
  SecureContactRemoved,
];

/** Accounts that an event opens, changes or posts to. */
export function accountsOf(event: RecordedEvent): readonly string[] {
  if (movesMoney(event)) {
    const uids = event.data.postings.map((posting) => posting.account);
    if (uids.length === 0) return accountOfHold(event);
    return uids.length === 2 && uids[0] !== uids[1] ? uids : [...new Set(uids)];
  }
  return OWN_EVENTS.some((type) => type.is(event)) ? [(event.data as { uid: string }).uid] : [];
}

/** The account after an event. @throws TypeError for an event that cannot be about this account */
export function evolveAccount(account: Account | undefined, event: RecordedEvent, uid: string): Account {
  if (movesMoney(event)) return moved(account, event, uid);
  if (AccountOpened.is(event)) {
    const { partnerUid, holder, type, class: accountClass } = event.data;
    const opened = { uid, partnerUid, holder, type, class: accountClass, openedAt: event.time, version: event.version };
    return { ...opened, ...EMPTY, system: null, status: 'Active', filling: null, payoutLimits: null };
  }
  if (!account) throw new TypeError(`${event.type} is about account ${uid}, which was never opened`);
  if (AccountDeactivated.is(event)) return { ...account, status: 'Inactive', version: event.version };
  if (AccountActivated.is(event)) return { ...account, status: 'Active', version: event.version };
  const payoutLimits = limitsAfter(account.payoutLimits, event);
  if (payoutLimits) return { ...account, payoutLimits, version: event.version };
  throw new TypeError(`${event.type} does not change an account`);
}

function limitsAfter(before: PayoutLimits | null, event: RecordedEvent): PayoutLimits | undefined {
  const limits = before ?? { since: event.position.toString(), terms: NO_LIMITS, counters: NONE_COUNTED };
  if (PayoutLimitsChanged.is(event)) {
    const { uid: _account, ...change } = event.data;
    return { ...limits, ...change };
  }
  const { contacts = 0 } = limits;
  if (SecureContactRegistered.is(event)) return { ...limits, contacts: contacts + 1 };
  if (SecureContactRemoved.is(event)) return { ...limits, contacts: contacts - 1 };
  return SecureContactChanged.is(event) ? limits : undefined;
}

function moved(account: Account | undefined, event: RecordedEvent<string, MovesMoney>, uid: string): Account {
  let { available, held, blocked, entries } = account ?? EMPTY;
  let system: SystemAccount | undefined;
  for (const posting of event.data.postings) {
    if (posting.account !== uid) continue;
    if (posting.bucket === 'available') available += BigInt(posting.amount);
    else if (posting.bucket === 'held') held += BigInt(posting.amount);
    else blocked += BigInt(posting.amount);
    entries += 1;
    system = posting.system;
  }
  if (account) {
    const version = event.stream === `account-${uid}` ? event.version : account.version;
    const filling = fillingAfter(account.filling, event);
    const { payoutLimits } = account;
    const use = payoutLimits && limitUseOf(event);
    const counted = use ? { payoutLimits: countUse(payoutLimits, use) } : {};
    return { ...account, available, held, blocked, filling, entries, version, ...counted };
  }
  if (!system) throw new TypeError(`${event.type} moves money on account ${uid}, which was never opened`);
  return {
    uid,
    partnerUid: event.data.partnerUid,
    system,
    holder: null,
    type: 'PaymentAccount',
    class: 'Standard',
    status: 'Active',
    available,
    held,
    blocked,
    filling: null,
    entries,
    openedAt: event.time,
    version: 0,
    payoutLimits: null,
  };
}

/**
 * The uid of one of a partner's system accounts: derived from the partner's, so that it is known before its
 * first posting, and carrying the same partition.
 */
export function systemAccountUid(partnerUid: string, partition: number, system: SystemAccount): string {
  const digest = createHash('sha256').update(`${partnerUid}/${system}`).digest('hex');
  const carried = partition.toString(16).padStart(3, '0');
  return `${partnerUid.slice(0, 13)}-7${carried}-8${digest.slice(0, 3)}-${digest.slice(3, 15)}`;
}

/** A partner's system account as loaded, or as it is before its first posting. */
export function systemAccount(
  accounts: ReadonlyMap<string, Account>,
  uid: string,
  system: SystemAccount,
): Balances & { system: SystemAccount } {
  const { available, held, blocked, entries } = accounts.get(uid) ?? EMPTY;
  return { uid, system, available, held, blocked, entries };
}
