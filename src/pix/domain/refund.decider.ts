import {
  type Account,
  blockedBy,
  CustomerAccountInsufficientFunds,
  CustomerAccountIsNotActive,
  drawFromHold,
  hasRoom,
  type HeldAccount,
  type Hold,
  HoldExceeded,
  type Movement,
  post,
  REPRESENTABLE,
  restoreToHold,
  type Transaction,
} from '../../accounts/index.js';
import type { DataOf, NewEvent, Personal } from '../../event-store/index.js';
import { daysBetween } from '../../platform/sao-paulo.js';
import { type CashInDetails, type CashOutDetails, detailsOf, type RefundDetails } from './details.js';
import { NothingToRefund, RefundExceedsOriginal, RefundPeriodExpired } from './errors.js';
import type { HeldReturnCode, SentOver } from './events/shared.js';
import { RefundCompleted, RefundErrored, RefundRegistered } from './events/refund.events.js';
import { UnmatchedReturnReceived } from './events/payment.events.js';
import { canBecome } from './transitions.js';

/** BCB, "Regulamento do Pix", devolução: up to 90 days after the original; decisions 5. Calendar days of São Paulo. */
export const REFUND_DAYS = 90;

/** What is left of a completed deposit to be given back, by refunds and by the MED together. */
export function refundable(deposit: Transaction): bigint {
  return deposit.state === 'Completed' ? deposit.amount - BigInt(detailsOf<CashInDetails>(deposit).refunded) : 0n;
}

export interface RefundRequest {
  readonly id: string;
  /** Ours, `D…`. */
  readonly returnId: string;
  /** The rail that is to make it. */
  readonly sentOver: SentOver;
  /** Centavos, above zero; absent: the rest. */
  readonly amount?: bigint;
  readonly reason?: Personal<string>;
}

/** The partner refunds a completed cash-in, whole or in parts: the amount is held until the rail has answered. */
export function registerRefund(
  parent: Transaction,
  account: Account,
  request: RefundRequest,
  at: Date,
): readonly NewEvent[] {
  const completedAt = parent.stateDates.Completed;
  if (parent.state !== 'Completed' || completedAt === undefined) throw new NothingToRefund(parent.state);
  if (daysBetween(new Date(completedAt), at) > REFUND_DAYS) throw new RefundPeriodExpired(REFUND_DAYS);
  const details = detailsOf<CashInDetails>(parent);
  const left = parent.amount - BigInt(details.refunded);
  const amount = request.amount ?? left;
  if (amount > left || left === 0n) throw new RefundExceedsOriginal(left);
  if (account.status !== 'Active') throw new CustomerAccountIsNotActive();
  if (account.available < amount) throw new CustomerAccountInsufficientFunds();
  return [
    RefundRegistered.create(`refund-${request.id}`, 1, {
      id: request.id,
      ...ofParent(parent, account.partnerUid),
      direction: 'Out',
      amount: amount.toString(),
      returnId: request.returnId,
      sentOver: request.sentOver,
      ...(request.reason && { reason: request.reason }),
      party: details.payer,
      postings: post([
        { account, bucket: 'available', amount: -amount },
        { account, bucket: 'held', amount },
      ]),
    }),
  ];
}

export interface HeldReturnRequest extends Omit<RefundRequest, 'reason' | 'sentOver'> {
  /** Absent where the rail has made it by itself. */
  readonly sentOver?: SentOver;
  readonly holdId: string;
  readonly code: HeldReturnCode;
  /** The report that asks for it (MED). */
  readonly infractionId?: string;
}

/**
 * Blocked money of a deposit goes back to its payer, an inactive account's too: by an operator, or as the MED asks. With
 * the partner's refunds it is never more than was paid. Without an amount: what is blocked, up to that.
 */
export function returnHeldDeposit(
  parent: Transaction,
  held: HeldAccount,
  request: HeldReturnRequest,
  at: Date,
): readonly NewEvent[] {
  const { account, hold } = held;
  const { id, holdId, returnId, sentOver, code, infractionId } = request;
  const left = refundable(parent);
  const blocked = hold ? blockedBy(hold) : 0n;
  const amount = request.amount ?? (blocked < left ? blocked : left);
  const drawn = drawFromHold(held, holdId, { amount, transactionId: id }, at);
  if (amount > left || left === 0n) throw new RefundExceedsOriginal(left);
  if (amount === 0n) throw new HoldExceeded(blocked);
  return [
    RefundRegistered.create(`refund-${id}`, 1, {
      id,
      ...ofParent(parent, account.partnerUid),
      direction: 'Out',
      amount: amount.toString(),
      returnId,
      ...(sentOver && { sentOver }),
      holdId,
      code,
      ...(infractionId && { infractionId }),
      party: detailsOf<CashInDetails>(parent).payer,
      postings: [],
    }),
    drawn,
  ];
}

export interface RefundAccounts {
  readonly account: Account;
  readonly settlement: Movement['account'];
}

/** Ends a return that the rail made by itself, in the commit that registers it. */
export function completeHeldReturn(
  deposit: Transaction,
  { account, settlement }: RefundAccounts,
  { id, returnId, amount, infractionId }: HeldReturnRequest & { readonly amount: bigint },
  { at, receiptToken }: { readonly at: Date; readonly receiptToken: string },
): readonly NewEvent[] {
  // After `HoldDrawn`, which has two postings on the account.
  const drawn = { ...account, held: account.held + amount, entries: account.entries + 2 };
  const common = {
    id,
    partnerUid: account.partnerUid,
    refundOf: deposit.id,
    amount: amount.toString(),
    ...(infractionId && { infractionId }),
  };
  return [completed(2, common, { account: drawn, settlement }, { returnId, settledAt: at, receiptToken })];
}

export type RefundEnding =
  | { readonly state: 'Completed'; readonly settledAt: Date; readonly receiptToken: string }
  | { readonly state: 'Error'; readonly reason: string };

/**
 * Ends a refund of a cash-in. One that has ended stays as it is.
 * @param hold of a refund of blocked money, which is blocked again where the rail refuses
 */
export function endRefund(
  refund: Transaction,
  { account, settlement }: RefundAccounts,
  ending: RefundEnding,
  hold: Hold | undefined,
  at: Date,
): readonly NewEvent[] {
  if (!canBecome(refund, ending.state)) return [];
  const { id, amount } = refund;
  const stream = `refund-${id}`;
  const { infractionId } = detailsOf<RefundDetails>(refund);
  const common = {
    id,
    partnerUid: account.partnerUid,
    refundOf: refund.refundOf!,
    amount: amount.toString(),
    ...(infractionId && { infractionId }),
  };
  if (ending.state === 'Completed') {
    const { settledAt, receiptToken } = ending;
    const told = { returnId: refund.endToEndId!, settledAt, receiptToken };
    return [completed(refund.version + 1, common, { account, settlement }, told)];
  }
  const errored = { ...common, reason: ending.reason };
  if (hold) {
    return [
      RefundErrored.create(stream, refund.version + 1, { ...errored, postings: [] }),
      ...restoreToHold(account, hold, { amount, transactionId: id }, at),
    ];
  }
  const postings = post([
    { account, bucket: 'held', amount: -amount },
    { account, bucket: 'available', amount },
  ]);
  return [RefundErrored.create(stream, refund.version + 1, { ...errored, postings })];
}

/** Money that the payee's bank returned. */
export interface IncomingReturn {
  /** The payee's bank's, `D…`. */
  readonly returnId: string;
  readonly endToEndId: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly at: Date;
  readonly code: string;
  /** Minted for the refund. */
  readonly id: string;
  readonly receiptToken: string;
}

/**
 * Credits money that was returned after a completed cash-out. More than was sent, or a return of a cash-out that was
 * never completed, is unmatched and kept apart; so is an amount that exceeds what an account can represent.
 */
export function receiveReturn(
  parent: Transaction | undefined,
  accounts: RefundAccounts | undefined,
  returned: IncomingReturn,
): readonly NewEvent[] {
  const { returnId, id, amount, at, receiptToken } = returned;
  const sentBack = parent ? BigInt(detailsOf<CashOutDetails>(parent).refunded) : 0n;
  if (!accounts || parent?.state !== 'Completed' || amount > parent.amount - sentBack) {
    return [unmatchedReturn(returned)];
  }
  const { account, settlement } = accounts;
  if (!hasRoom(account, amount, REPRESENTABLE) || !hasRoom(settlement, -amount, REPRESENTABLE)) {
    return [unmatchedReturn(returned)];
  }
  const details = detailsOf<CashOutDetails>(parent);
  const stream = `refund-${id}`;
  const common = { ...ofParent(parent, account.partnerUid), direction: 'In' as const, amount: amount.toString() };
  const credited = post([
    { account: settlement, bucket: 'available', amount: -amount },
    { account, bucket: 'available', amount },
  ]);
  return [
    RefundRegistered.create(stream, 1, { id, ...common, returnId, party: details.payee, postings: [] }),
    RefundCompleted.create(stream, 2, {
      id,
      partnerUid: account.partnerUid,
      refundOf: parent.id,
      direction: 'In',
      amount: amount.toString(),
      returnId,
      settledAt: at.toISOString(),
      receiptToken,
      postings: credited,
    }),
  ];
}

export function unmatchedReturn({ returnId, endToEndId, amount, at, code }: Omit<IncomingReturn, 'id'>) {
  const data = { returnId, endToEndId, amount: amount.toString(), settledAt: at.toISOString(), code };
  return UnmatchedReturnReceived.create(`payment-${returnId}`, 1, data);
}

/** Members of a refund from its parent transaction: order and webhook are the parent's. */
function ofParent(parent: Transaction, partnerUid: string) {
  const { orderDescription, webhook } = detailsOf<CashInDetails | CashOutDetails>(parent);
  return {
    partnerUid,
    accountUid: parent.accountUid,
    refundOf: parent.id,
    originalEndToEndId: parent.endToEndId!,
    orderId: parent.orderId!,
    ...(orderDescription && { orderDescription }),
    ...(webhook && { webhook }),
  };
}

/** What is held for a refund leaves the account. */
function completed(
  version: number,
  common: Pick<DataOf<typeof RefundCompleted>, 'id' | 'partnerUid' | 'refundOf' | 'amount' | 'infractionId'>,
  { account, settlement }: RefundAccounts,
  told: { readonly returnId: string; readonly settledAt: Date; readonly receiptToken: string },
): NewEvent {
  const amount = BigInt(common.amount);
  return RefundCompleted.create(`refund-${common.id}`, version, {
    ...common,
    direction: 'Out',
    returnId: told.returnId,
    settledAt: told.settledAt.toISOString(),
    receiptToken: told.receiptToken,
    postings: post([
      { account, bucket: 'held', amount: -amount },
      { account: settlement, bucket: 'available', amount },
    ]),
  });
}
