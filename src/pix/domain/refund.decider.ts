import {
  type Account,
  CustomerAccountInsufficientFunds,
  CustomerAccountIsNotActive,
  type Hold,
  type Movement,
  post,
  restoreToHold,
  type Transaction,
} from '../../accounts/index.js';
import type { DataOf, NewEvent, Personal } from '../../event-store/index.js';
import { daysBetween } from '../../platform/sao-paulo.js';
import { type CashInDetails, type CashOutDetails, detailsOf, type RefundDetails } from './details.js';
import { NothingToRefund, RefundExceedsOriginal, RefundPeriodExpired } from './errors.js';
import type { SentOver } from './events/shared.js';
import { RefundCompleted, RefundErrored, RefundRegistered } from './events/refund.events.js';
import { canBecome } from './transitions.js';

/** BCB, "Regulamento do Pix", devolução: up to 90 days after the original; decisions 5. Calendar days of São Paulo. */
const REFUND_DAYS = 90;

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

export interface RefundAccounts {
  readonly account: Account;
  readonly settlement: Movement['account'];
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
    return [refundCompleted(refund.version + 1, common, { account, settlement }, told)];
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

/** Members of a refund from its parent transaction: order and webhook are the parent's. */
export function ofParent(parent: Transaction, partnerUid: string) {
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
export function refundCompleted(
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
