import {
  type Account,
  type AmountLimits,
  assertRoom,
  assertWithin,
  balancesAfter,
  CustomerAccountIsNotActive,
  hasRoom,
  type Movement,
  placeHold,
  post,
  type Posting,
  type Transaction,
} from '../../accounts/index.js';
import type { NewEvent, Personal } from '../../event-store/index.js';
import type { Caution } from './caution.js';
import { detailsOf, type CashInDetails } from './details.js';
import { OrderIdAlreadyUsed, PaymentValueNotAboveCharge } from './errors.js';
import {
  CashInCancelled,
  CashInCompleted,
  CashInErrored,
  CashInPaymentReturned,
  CashInRegistered,
  CashInReversed,
  CashInTold,
} from './events/cash-in.events.js';
import type { ExpectedPayer, Party, PaymentFacts, SentOver, WebhookTarget } from './events/shared.js';
import { type OrderTerms, uniqueness } from './orders.js';
import { type ArrivedPayment, misfitOf } from './payment-fit.js';
import { assertCanBecome, canBecome } from './transitions.js';

/** What a new cash-in is decided on. Amounts are centavos. */
export interface CashInTerms extends OrderTerms {
  readonly account: Account;
  readonly limits: AmountLimits;
  readonly charges: bigint;
}

export interface CashInRequest {
  readonly id: string;
  /** Centavos, above zero. */
  readonly amount: bigint;
  readonly orderId: string;
  readonly orderDescription?: Personal<string>;
  readonly expectedPayer?: Personal<ExpectedPayer>;
  readonly webhook: WebhookTarget;
  readonly qrCode: string;
  readonly location: string;
  readonly expiresAt: Date;
}

/** Accepts a cash-in. Order of refusals: limits, account, charge, order, balance limit. */
export function registerCashIn(terms: CashInTerms, request: CashInRequest): readonly NewEvent[] {
  const { account, charges } = terms;
  const { amount, orderDescription, expectedPayer, expiresAt, ...rest } = request;
  assertWithin(terms.limits, amount);
  if (account.status !== 'Active') throw new CustomerAccountIsNotActive();
  if (charges > 0n && amount <= charges) throw new PaymentValueNotAboveCharge(charges);
  if (terms.orderIsTaken) throw new OrderIdAlreadyUsed(request.orderId);
  assertRoom(account, amount);
  return [
    CashInRegistered.create(`cash-in-${request.id}`, 1, {
      ...rest,
      partnerUid: account.partnerUid,
      accountUid: account.uid,
      amount: amount.toString(),
      charges: charges.toString(),
      ...(orderDescription && { orderDescription }),
      ...(expectedPayer && { expectedPayer }),
      ...uniqueness(terms),
      expiresAt: expiresAt.toISOString(),
    }),
  ];
}

/** A payment that came in and is to be recorded. */
export interface IncomingPayment extends ArrivedPayment {
  readonly endToEndId: string;
  readonly at: Date;
  /** Its payer as the ledger stores them. */
  readonly sealedPayer: Personal<Party>;
  /** Minted in case it is returned, over this rail. */
  readonly returnId: string;
  readonly sentOver: SentOver;
  /** Minted in case it is credited. */
  readonly receiptToken: string;
  /** Where a rule of the operator says that the credit is to be blocked. */
  readonly caution?: Caution;
}

export interface CashInState {
  readonly transaction: Transaction;
  readonly account: Account;
  readonly settlement: Movement['account'];
  readonly fees: Movement['account'];
  readonly expectedPayer: ExpectedPayer | 'forgotten' | undefined;
}

/**
 * Records a payment that came in: it is credited if it fits and is in time, else it is returned. Every payment makes an
 * event; a caller runs this once for an EndToEndId (idempotency key), so repeated notifications do not get here.
 */
export function receivePayment(state: CashInState, payment: IncomingPayment, now: Date): readonly NewEvent[] {
  const { transaction, account } = state;
  const { id, amount } = transaction;
  const stream = `cash-in-${id}`;
  const version = transaction.version + 1;
  const facts = factsOf(payment);
  const { sealedPayer: payer, returnId, sentOver } = payment;
  const returned = (cause: 'Late' | 'Second', at: number) =>
    CashInPaymentReturned.create(stream, at, {
      id,
      partnerUid: account.partnerUid,
      cause,
      payment: facts,
      payer,
      returnId,
      sentOver,
    });

  if (!canBecome(transaction, 'Completed')) {
    return [returned(transaction.state === 'Completed' ? 'Second' : 'Late', version)];
  }
  // The rail's own time counts: a payment in time stays one, however late its notification arrives.
  if (payment.at.toISOString() > detailsOf<CashInDetails>(transaction).expiresAt) {
    return [CashInCancelled.create(stream, version, { id, cause: 'Expired' }), returned('Late', version + 1)];
  }
  const reason =
    misfitOf({ amount, payer: state.expectedPayer }, payment) ??
    (account.status === 'Active' ? undefined : 'AccountIsNotActive') ??
    (canBeCredited(state) ? undefined : 'BalanceLimitExceeded');
  if (reason) {
    const { partnerUid } = account;
    return [
      CashInErrored.create(stream, version, { id, partnerUid, reason, payment: facts, payer, returnId, sentOver }),
    ];
  }
  const postings = credit(state);
  const { receiptToken, caution } = payment;
  const hold = caution && heldFor(caution, now);
  return [
    CashInCompleted.create(stream, version, {
      id,
      partnerUid: account.partnerUid,
      payment: facts,
      payer,
      receiptToken,
      ...(hold && { hold: { id: hold.id, expiresAt: hold.expiresAt.toISOString() } }),
      postings,
    }),
    ...(hold ? block(state, postings, hold, now) : []),
  ];
}

const HOUR_MS = 3_600_000;

function heldFor({ rule: { id, name, hours }, holdId }: Caution, now: Date) {
  return { id: holdId, rule: { id, name }, expiresAt: new Date(now.getTime() + hours * HOUR_MS) };
}

/**
 * Blocks what the deposit brought, in its own commit, before any hold that waits for credits: whether the money is the
 * holder's is what is to be found out. What is released later goes to those holds.
 */
function block(
  { transaction: { id, amount, charges }, account }: CashInState,
  postings: readonly Posting[],
  { id: holdId, rule, expiresAt }: ReturnType<typeof heldFor>,
  now: Date,
): readonly NewEvent[] {
  const credited = { partnerUid: account.partnerUid, ...balancesAfter(account, postings) };
  const byRule = { depositId: id, rule, expiresAt };
  const request = { id: holdId, amount: amount - charges, cause: 'Cautionary' as const, reference: id, byRule };
  return placeHold(credited, request, now);
}

function canBeCredited({ transaction: { amount, charges }, account, settlement, fees }: CashInState): boolean {
  return hasRoom(account, amount) && hasRoom(settlement, -amount) && hasRoom(fees, charges);
}

function credit({ transaction: { amount, charges }, account, settlement, fees }: CashInState) {
  return post([
    { account: settlement, bucket: 'available', amount: -amount },
    { account, bucket: 'available', amount },
    ...(charges > 0n
      ? [
          { account, bucket: 'available' as const, amount: -charges },
          { account: fees, bucket: 'available' as const, amount: charges },
        ]
      : []),
  ]);
}

/** Records extras of the payment that a cash-in ended with, except those that are known already. */
export function noteCashInExtras(
  transaction: Transaction,
  endToEndId: string,
  { payer, fee }: { readonly payer?: Personal<Party>; readonly fee?: bigint },
): readonly NewEvent[] {
  const { id, version } = transaction;
  const { payerTold, feeTold } = detailsOf<CashInDetails>(transaction);
  const extras = { ...(payer && !payerTold && { payer }), ...(fee && !feeTold && { fee: fee.toString() }) };
  if (transaction.endToEndId !== endToEndId || Object.keys(extras).length === 0) return [];
  return [CashInTold.create(`cash-in-${id}`, version + 1, { id, ...extras })];
}

/** The partner cancels an unpaid cash-in. @throws TransitionNotAllowed */
export function cancelCashIn(transaction: Transaction): readonly NewEvent[] {
  assertCanBecome(transaction, 'Cancelled');
  return cancelled(transaction, 'CancelledByPartner');
}

/** An unpaid cash-in expires. One that has ended stays as it is. */
export function expireCashIn(transaction: Transaction): readonly NewEvent[] {
  return canBecome(transaction, 'Cancelled') ? cancelled(transaction, 'Expired') : [];
}

/** The payment of a charge failed, or was returned, at the rail. No event if the cash-in has ended. */
export function endCharge(
  transaction: Transaction,
  ending: { readonly state: 'Error' | 'Reversed'; readonly reason: string },
): readonly NewEvent[] {
  if (!canBecome(transaction, ending.state)) return [];
  const { id, version } = transaction;
  const type = ending.state === 'Error' ? CashInErrored : CashInReversed;
  return [type.create(`cash-in-${id}`, version + 1, { id, reason: ending.reason })];
}

function cancelled({ id, version }: Transaction, cause: 'Expired' | 'CancelledByPartner'): readonly NewEvent[] {
  return [CashInCancelled.create(`cash-in-${id}`, version + 1, { id, cause })];
}

export function factsOf({ endToEndId, amount, at }: Pick<IncomingPayment, 'endToEndId' | 'amount' | 'at'>) {
  return { endToEndId, amount: amount.toString(), settledAt: at.toISOString() } satisfies PaymentFacts;
}
