import {
  type Account,
  assertSchedulable,
  assertWithin,
  cancelWaiting,
  carryOut,
  CustomerAccountIsNotActive,
  type ScheduleTerms,
  storedTerms,
  type Transaction,
} from '../../accounts/index.js';
import type { DataOf, NewEvent } from '../../event-store/index.js';
import type { ErrorReason } from '../../platform/errors/index.js';
import { type CashOutTerms, type NewCashOut, registerCashOut } from './cash-out.decider.js';
import { type CashOutDetails, detailsOf } from './details.js';
import { OrderIdAlreadyUsed } from './errors.js';
import { CashOutCancelled, CashOutRefused, CashOutScheduled } from './events/cash-out.events.js';
import { type OrderTerms, uniqueness } from './orders.js';

/** What a payout for later is made of, and may be made of again. */
export type PayoutOrder = Omit<
  DataOf<typeof CashOutScheduled>,
  'id' | 'partnerUid' | 'accountUid' | 'charges' | 'schedule' | 'orderIsUnique'
>;

const IN_BODY = { scheduledFor: 'transaction.scheduledFor', retryUntil: 'transaction.retryUntil' };

/** Funds, and limits that add up or depend on the hour, are looked at when its time has come. */
export function scheduleCashOut(
  { account, limits, charges, ...orders }: Omit<CashOutTerms, 'payee'>,
  order: PayoutOrder & { readonly id: string },
  terms: ScheduleTerms,
  at: Date,
): readonly NewEvent[] {
  assertSchedulable(terms, at, IN_BODY);
  assertWithin(limits, BigInt(order.amount));
  if (account.status !== 'Active') throw new CustomerAccountIsNotActive();
  if (orders.orderIsTaken) throw new OrderIdAlreadyUsed(order.orderId);
  return [cashOutScheduled({ account, charges, ...orders }, order, terms)];
}

/**
 * A run of a schedule: whether it can be made is decided when its time has come. Not so its order: from here on it is
 * in the account's orders itself. Where another has it, the run ends at once, and the schedule goes on.
 */
export function cashOutRun(
  decidedOn: RunTerms,
  order: PayoutOrder & { readonly id: string },
  terms: ScheduleTerms,
): readonly NewEvent[] {
  const scheduled = cashOutScheduled(decidedOn, order, terms);
  if (!decidedOn.orderIsTaken) return [scheduled];
  return [scheduled, cashOutRefused(order.id, 2, decidedOn.account, 'OrderIdAlreadyUsed' satisfies ErrorReason)];
}

type RunTerms = Pick<CashOutTerms, 'account' | 'charges'> & OrderTerms;

function cashOutScheduled(
  { account: { partnerUid, uid: accountUid }, charges, ...orders }: RunTerms,
  { id, method, amount, ...asAsked }: PayoutOrder & { readonly id: string },
  terms: ScheduleTerms,
): NewEvent {
  return CashOutScheduled.create(`cash-out-${id}`, 1, {
    ...{ id, partnerUid, accountUid, method, amount, charges: charges.toString() },
    ...asAsked,
    ...uniqueness(orders),
    schedule: storedTerms(terms),
  });
}

/** How a scheduled payout is sent. */
export type Sending = Pick<NewCashOut, 'endToEndId' | 'sentAs' | 'keyChecked'> & {
  /** Throws what the rail, or what is left of the recipient, does not allow. */
  readonly assertCanBeSent: () => void;
};

/**
 * Accepts a scheduled payout, as any payout of that moment, or ends it with the reason. Its charge and its order were
 * settled when it was scheduled, as a run of a schedule too (`cashOutRun`).
 * @throws CustomerAccountInsufficientFunds while it may wait for funds
 */
export function runCashOut(
  terms: Omit<CashOutTerms, 'charges' | keyof OrderTerms>,
  transaction: Transaction,
  { assertCanBeSent, ...sending }: Sending,
  at: Date,
): readonly NewEvent[] {
  const { id, amount, charges, version } = transaction;
  const { method, recipient, orderDescription, webhook } = detailsOf<CashOutDetails>(transaction);
  const asked = { id, method, amount, orderId: transaction.orderId!, recipient, webhook, ...sending };
  const cashOut: NewCashOut = orderDescription ? { ...asked, orderDescription } : asked;
  return carryOut(transaction, at, {
    run: () => {
      assertCanBeSent();
      return registerCashOut({ ...terms, charges, orderIsTaken: false }, cashOut, at, version);
    },
    refuse: (reason) => [cashOutRefused(id, version + 1, terms.account, reason)],
  });
}

function cashOutRefused(id: string, version: number, { partnerUid }: Account, reason: string): NewEvent {
  return CashOutRefused.create(`cash-out-${id}`, version, { id, partnerUid, reason });
}

/** @throws TransitionNotAllowed unless it waits */
export function cancelCashOut(transaction: Transaction, partnerUid: string): readonly NewEvent[] {
  const { id, version } = transaction;
  return cancelWaiting(transaction, (timerId) => [
    CashOutCancelled.create(`cash-out-${id}`, version + 1, { id, partnerUid, timerId }),
  ]);
}
