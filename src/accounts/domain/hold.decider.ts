import type { NewEvent, Personal } from '../../event-store/index.js';
import { EntityNotFound } from '../../platform/errors/index.js';
import { smaller } from '../../platform/money.js';
import type { Account } from './account.js';
import { assertRoom } from './balance-limit.js';
import { HoldExceeded, HoldIsClosed, HoldIsOfCase, RetryTimeNotInFuture } from './errors.js';
import { balancesAfter } from './fill-holds.js';
import { blockedBy, type Hold, holdAfter, nextStep, streamOfHold } from './hold.js';
import {
  type ExecutionDestination,
  type HoldCause,
  HoldDrawn,
  HoldExecuted,
  HoldPlaced,
  HoldReleased,
  HoldRestored,
} from './hold.events.js';
import { type Balances, type Movement, post } from './posting.js';

export interface HoldRequest {
  readonly id: string;
  /** Centavos, above zero. */
  readonly amount: bigint;
  readonly cause: HoldCause;
  readonly reference: string;
  readonly retryUntil?: Date;
  readonly note?: Personal<string>;
  /** Of a hold by a rule: the transaction that brought the money, and when it is released. */
  readonly byRule?: {
    readonly depositId: string;
    readonly rule: { readonly id: string; readonly name: string };
    readonly expiresAt: Date;
  };
}

type AccountNow = Balances & Pick<Account, 'partnerUid'>;

/** An account and one of its holds. */
export interface HeldAccount {
  readonly account: Account;
  /** `undefined` where there is none by the id. */
  readonly hold: Hold | undefined;
  /** Where it is not the case itself that asks: the one that alone decides about the hold, and has not ended. */
  readonly decidedBy?: string;
}

/** A transaction that pays from a hold. */
export interface HoldPayment {
  /** Centavos, above zero. */
  readonly amount: bigint;
  readonly transactionId: string;
}

/** Takes what is there up to the amount. An inactive account has holds like any other: an order does not ask. */
export function placeHold(account: AccountNow, request: HoldRequest, at: Date): readonly NewEvent[] {
  const { id, amount, cause, reference, retryUntil, note, byRule } = request;
  if (retryUntil && retryUntil <= at) throw new RetryTimeNotInFuture();
  const filled = smaller(account.available, amount);
  return [
    HoldPlaced.create(streamOfHold(id), 1, {
      id,
      partnerUid: account.partnerUid,
      accountUid: account.uid,
      cause,
      reference,
      ...(note && { note }),
      amount: amount.toString(),
      filled: filled.toString(),
      ...(retryUntil && { retryUntil: retryUntil.toISOString() }),
      ...(byRule && { ...byRule, expiresAt: byRule.expiresAt.toISOString() }),
      postings: moved(filled, account, { account, bucket: 'blocked' }, 'available'),
    }),
  ];
}

/**
 * Makes blocked money available again. Without an amount all of it, and the hold ends: it waits for nothing more. What
 * is released in part is not taken again for the same hold.
 */
export function releaseHold(state: HeldAccount, id: string, amount: bigint | undefined, at: Date): readonly NewEvent[] {
  const hold = openHold(state, id, amount);
  const released = amount ?? blockedBy(hold);
  return [release(state.account, hold, released, { closed: amount === undefined || endsWith(hold, released, at) })];
}

/**
 * Releases what is still blocked when the hold's time is over. One that has ended, or has time left, stays as it is.
 */
export function expireHold({ account, hold }: HeldAccount, at: Date): readonly NewEvent[] {
  if (hold?.status !== 'Open' || !hold.expiresAt || hold.expiresAt > at) return [];
  return [release(account, hold, blockedBy(hold), { closed: true, cause: 'Expired' })];
}

function release(
  account: AccountNow,
  hold: Hold,
  amount: bigint,
  ending: { readonly closed: boolean; readonly cause?: 'Expired' },
): NewEvent {
  const { stream, version, ...step } = nextStep(hold);
  return HoldReleased.create(stream, version, {
    ...step,
    partnerUid: account.partnerUid,
    accountUid: account.uid,
    amount: amount.toString(),
    ...ending,
    hold: holdAfter(hold, 'released', amount, ending.closed),
    postings: moved(amount, account, { account, bucket: 'available' }),
  });
}

/** Blocked money is on its way out: the transaction that pays it holds it. */
export function drawFromHold(state: HeldAccount, id: string, payment: HoldPayment, at: Date): NewEvent {
  const { account } = state;
  const { amount, transactionId } = payment;
  const hold = openHold(state, id, amount);
  const closed = endsWith(hold, amount, at);
  const { stream, version, ...step } = nextStep(hold);
  return HoldDrawn.create(stream, version, {
    ...step,
    partnerUid: account.partnerUid,
    accountUid: account.uid,
    amount: amount.toString(),
    transactionId,
    closed,
    hold: holdAfter(hold, 'returned', amount, closed),
    postings: moved(amount, account, { account, bucket: 'held' }),
  });
}

/**
 * The transaction failed: its money is blocked again, in a hold that may have ended meanwhile. Where the hold's time is
 * over it is let go at once.
 */
export function restoreToHold(account: Account, hold: Hold, payment: HoldPayment, at: Date): readonly NewEvent[] {
  const { amount, transactionId } = payment;
  const { stream, version, ...step } = nextStep(hold);
  const postings = moved(amount, account, { account, bucket: 'blocked' }, 'held');
  const restored = HoldRestored.create(stream, version, {
    ...step,
    partnerUid: account.partnerUid,
    accountUid: account.uid,
    amount: amount.toString(),
    transactionId,
    hold: holdAfter({ ...hold, status: 'Open' }, 'returned', -amount),
    postings,
  });
  const after: Hold = { ...hold, returned: hold.returned - amount, status: 'Open', version };
  const now = { ...account, ...balancesAfter(account, postings) };
  return [restored, ...expireHold({ account: now, hold: after }, at)];
}

/** Blocked money leaves the account. @param executed the partner's system account of executed holds */
export function executeHold(
  state: HeldAccount & { readonly executed: Movement['account'] },
  id: string,
  { amount, destination }: { readonly amount: bigint; readonly destination: ExecutionDestination },
  at: Date,
): readonly NewEvent[] {
  const { account, executed } = state;
  const hold = openHold(state, id, amount);
  assertRoom(executed, amount);
  const closed = endsWith(hold, amount, at);
  const { stream, version, ...step } = nextStep(hold);
  return [
    HoldExecuted.create(stream, version, {
      ...step,
      partnerUid: account.partnerUid,
      accountUid: account.uid,
      amount: amount.toString(),
      destination,
      closed,
      hold: holdAfter(hold, 'executed', amount, closed),
      postings: moved(amount, account, { account: executed, bucket: 'available' }),
    }),
  ];
}

function openHold({ account, hold, decidedBy }: HeldAccount, id: string, amount: bigint | undefined): Hold {
  if (hold?.accountUid !== account.uid) throw new EntityNotFound('HoldEntity', 'id', id);
  if (decidedBy !== undefined) throw new HoldIsOfCase(decidedBy);
  if (hold.status === 'Closed') throw new HoldIsClosed();
  const blocked = blockedBy(hold);
  if (amount !== undefined && amount > blocked) throw new HoldExceeded(blocked);
  return hold;
}

/** Whether nothing is blocked after this, and nothing will be. */
function endsWith(hold: Hold, taken: bigint, at: Date): boolean {
  const waits = hold.filled < hold.amount && hold.retryUntil !== null && hold.retryUntil > at;
  return taken === blockedBy(hold) && !waits;
}

function moved(amount: bigint, account: Balances, to: Omit<Movement, 'amount'>, from: Movement['bucket'] = 'blocked') {
  return amount === 0n
    ? []
    : post([
        { account, bucket: from, amount: -amount },
        { ...to, amount },
      ]);
}
