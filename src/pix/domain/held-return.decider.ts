import { blockedBy, drawFromHold, type HeldAccount, HoldExceeded, type Transaction } from '../../accounts/index.js';
import type { NewEvent } from '../../event-store/index.js';
import { type CashInDetails, detailsOf } from './details.js';
import { RefundExceedsOriginal } from './errors.js';
import { RefundRegistered } from './events/refund.events.js';
import type { HeldReturnCode, SentOver } from './events/shared.js';
import { ofParent, type RefundAccounts, refundable, refundCompleted, type RefundRequest } from './refund.decider.js';

export interface HeldReturnRequest extends Omit<RefundRequest, 'reason' | 'sentOver'> {
  /** Absent where the rail has made it by itself. */
  readonly sentOver?: SentOver;
  readonly holdId: string;
  readonly code: HeldReturnCode;
  /** The report that asks for it (MED). */
  readonly infractionId?: string;
}

/**
 * Blocked money of a deposit goes back to its payer, an inactive account's too: by an operator, or as the MED asks.
 * With the partner's refunds it is never more than was paid. Without an amount: what is blocked, up to that.
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
  return [refundCompleted(2, common, { account: drawn, settlement }, { returnId, settledAt: at, receiptToken })];
}
