import {
  type Account,
  type AmountLimits,
  assertWithin,
  CustomerAccountInsufficientFunds,
  CustomerAccountIsNotActive,
  type DefaultLimits,
  followDefaults,
  givenBack,
  type Movement,
  type Payee,
  type PayoutLimits,
  post,
  type Transaction,
  useWithinLimits,
  withDefaults,
} from '../../accounts/index.js';
import type { DataOf, NewEvent, Personal } from '../../event-store/index.js';
import { detailsOf, type CashOutDetails } from './details.js';
import { OrderIdAlreadyUsed } from './errors.js';
import {
  CashOutCompleted,
  CashOutErrored,
  CashOutKeyResolved,
  CashOutNamed,
  CashOutRegistered,
  CashOutReversed,
  CashOutTold,
} from './events/cash-out.events.js';
import type { Party } from './events/shared.js';
import { assertWithinAtNight } from './limits.js';
import { type OrderTerms, uniqueness } from './orders.js';
import { canBecome } from './transitions.js';

/** Details of a payout that only notifications of the rail contain: no query returns them. */
export interface PayoutExtras {
  /** Why it failed (ISO 20022). */
  readonly reason?: string;
  /** The rail's fee, centavos. */
  readonly fee?: bigint;
}

/** What a new cash-out is decided on. Amounts are centavos. */
export interface CashOutTerms extends OrderTerms {
  readonly account: Account;
  readonly limits: AmountLimits;
  /** Limit at night, off when `null`. */
  readonly nightMaximum: bigint | null;
  readonly charges: bigint;
  /** The partner's limits of payouts, for an account that has none of its own. */
  readonly defaults?: DefaultLimits;
  /** Only called where limits hold. */
  readonly payee: (limits: PayoutLimits) => Payee;
}

/** A cash-out as its event will have it, without what the account and its terms add. */
export type NewCashOut = Omit<
  DataOf<typeof CashOutRegistered>,
  'partnerUid' | 'accountUid' | 'amount' | 'charges' | 'postings' | 'limitUse' | 'orderIsUnique'
> & {
  /** Centavos, above zero. */
  readonly amount: bigint;
};

/** Accounts that a cash-out moves money on. */
export interface CashOutAccounts {
  readonly account: Account;
  readonly settlement: Movement['account'];
  readonly fees: Movement['account'];
}

/** How a cash-out ended, by the rail or before it was sent. */
export type CashOutEnding =
  | {
      readonly state: 'Completed';
      readonly payee: Personal<Party>;
      readonly settledAt: Date;
      readonly receiptToken: string;
    }
  | { readonly state: 'Error' | 'Reversed'; readonly reason: string };

/**
 * Accepts a cash-out: amount and charge are held. Order of refusals: limits of one payment, account, order, limits that
 * add up, funds.
 * @param version of its stream: above 0 where it was scheduled
 */
export function registerCashOut(terms: CashOutTerms, cashOut: NewCashOut, at: Date, version = 0): readonly NewEvent[] {
  const { account, charges } = terms;
  const { id, method, amount, ...asAsked } = cashOut;
  assertWithin(terms.limits, amount);
  assertWithinAtNight(terms.nightMaximum, amount, at);
  if (account.status !== 'Active') throw new CustomerAccountIsNotActive();
  if (terms.orderIsTaken) throw new OrderIdAlreadyUsed(cashOut.orderId);
  const payoutLimits = withDefaults(account.payoutLimits, terms.defaults);
  const limitUse = payoutLimits && useWithinLimits(payoutLimits, { amount, payee: terms.payee(payoutLimits), at });
  const held = amount + charges;
  if (account.available < held) throw new CustomerAccountInsufficientFunds();
  return [
    ...followDefaults(account, terms.defaults),
    CashOutRegistered.create(`cash-out-${id}`, version + 1, {
      id,
      partnerUid: account.partnerUid,
      accountUid: account.uid,
      method,
      amount: amount.toString(),
      charges: charges.toString(),
      ...asAsked,
      ...uniqueness(terms),
      ...(limitUse && { limitUse }),
      postings: post([
        { account, bucket: 'available', amount: -held },
        { account, bucket: 'held', amount: held },
      ]),
    }),
  ];
}

/** Records the EndToEndId that the rail made. The first one stays, and so does what partners were told of an end. */
export function nameCashOut(transaction: Transaction, endToEndId: string): readonly NewEvent[] {
  const { id, version, state } = transaction;
  if (transaction.endToEndId !== null || state !== 'Registered') return [];
  return [CashOutNamed.create(`cash-out-${id}`, version + 1, { id, endToEndId })];
}

/** Records extras of an ended payout, except those that are known already. */
export function noteExtras(transaction: Transaction, { reason, fee }: PayoutExtras): readonly NewEvent[] {
  const { id, version, state, errorReason } = transaction;
  const { reasonTold, feeTold } = detailsOf<CashOutDetails>(transaction);
  const extras = {
    ...(reason && state === 'Error' && errorReason !== reason && !reasonTold && { reason }),
    ...(fee && state !== 'Registered' && !feeTold && { fee: fee.toString() }),
  };
  if (Object.keys(extras).length === 0) return [];
  return [CashOutTold.create(`cash-out-${id}`, version + 1, { id, ...extras })];
}

/** Records the owner of the key by DICT. No event if it is known already, or the cash-out has ended. */
export function resolveKey(
  transaction: Transaction,
  { partnerUid }: Pick<Account, 'partnerUid'>,
  payee: Personal<Party>,
): readonly NewEvent[] {
  if (transaction.state !== 'Registered' || detailsOf<CashOutDetails>(transaction).payee) return [];
  const { id, version } = transaction;
  return [CashOutKeyResolved.create(`cash-out-${id}`, version + 1, { id, partnerUid, payee })];
}

/**
 * Ends a cash-out whose key does not exist, or is another person's. Once DICT has named the payee it may have been
 * sent: from then on only the rail ends it, whatever an older look-up answers.
 */
export function failKeyLookUp(
  transaction: Transaction,
  accounts: CashOutAccounts,
  reason: string,
): readonly NewEvent[] {
  if (detailsOf<CashOutDetails>(transaction).payee) return [];
  return endCashOut(transaction, accounts, { state: 'Error', reason });
}

/**
 * Ends a cash-out: what was held goes to the rail and to `fees`, or is available again. A cash-out that has ended stays
 * as it is, whatever the rail reports later.
 */
export function endCashOut(
  transaction: Transaction,
  { account, settlement, fees }: CashOutAccounts,
  ending: CashOutEnding,
): readonly NewEvent[] {
  if (!canBecome(transaction, ending.state)) return [];
  const { id, amount, charges } = transaction;
  const { partnerUid } = account;
  const held = amount + charges;
  const [stream, version] = [`cash-out-${id}`, transaction.version + 1] as const;
  const { payoutFile } = detailsOf<CashOutDetails>(transaction);
  const file = payoutFile && { payoutFile };
  if (ending.state === 'Completed') {
    const { payee, receiptToken } = ending;
    const postings = post([
      { account, bucket: 'held', amount: -held },
      { account: settlement, bucket: 'available', amount },
      ...(charges > 0n ? [{ account: fees, bucket: 'available' as const, amount: charges }] : []),
    ]);
    const settledAt = ending.settledAt.toISOString();
    const sent = { id, partnerUid, endToEndId: transaction.endToEndId!, amount: amount.toString() };
    return [CashOutCompleted.create(stream, version, { ...sent, payee, settledAt, receiptToken, ...file, postings })];
  }
  const postings = post([
    { account, bucket: 'held', amount: -held },
    { account, bucket: 'available', amount: held },
  ]);
  const type = ending.state === 'Error' ? CashOutErrored : CashOutReversed;
  const limitUse = givenBack(account.payoutLimits, {
    position: BigInt(detailsOf<CashOutDetails>(transaction).registeredPosition ?? transaction.position),
    amount,
    registeredAt: transaction.stateDates.Registered!,
    counted: detailsOf<CashOutDetails>(transaction).countedBy,
  });
  const { reason } = ending;
  const counted = { ...(limitUse && { limitUse }), ...(file && { ...file, amount: amount.toString() }) };
  return [type.create(stream, version, { id, partnerUid, reason, ...counted, postings })];
}
