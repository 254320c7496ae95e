import {
  type Account,
  CustomerAccountInsufficientFunds,
  CustomerAccountIsNotActive,
  drawHold,
  hasRoom,
  type Hold,
  type Movement,
  post,
  REPRESENTABLE,
  restoreHold,
  type Transaction,
} from '../../accounts/index.js';
import type { NewEvent, Personal } from '../../event-store/index.js';
import { type CashInDetails, type CashOutDetails, detailsOf, type RefundDetails } from './details.js';
import { NothingToRefund, RefundExceedsOriginal, RefundPeriodExpired } from './errors.js';
import { RefundCompleted, RefundErrored, RefundRegistered } from './events/refund.events.js';
import { UnmatchedReturnReceived } from './events/payment.events.js';
import type { MedReturn } from './events/shared.js';
import { daysBetween } from './limits.js';
import { canBecome } from './transitions.js';

/** BCB, "Regulamento do Pix", devolução: up to 90 days after the original; decisions 5. Calendar days of São Paulo. */
export const REFUND_DAYS = 90;

/** A return that the MED asks for. */
export interface MedReturnRequest {
  readonly id: string;
  readonly returnId: string;
  /** Centavos, above zero: no more than the hold blocks. */
  readonly amount: bigint;
  readonly med: MedReturn;
}

/** What is left of a completed deposit to be given back, by refunds and by the MED together. */
export function refundable(deposit: Transaction): bigint {
  return deposit.state === 'Completed' ? deposit.amount - BigInt(detailsOf<CashInDetails>(deposit).refunded) : 0n;
}

/** A return of the MED: a refund like any other, but that its money comes from a hold and nobody is asked for consent. */
export function registerMedReturn(
  deposit: Transaction,
  state: { readonly account: Account; readonly hold: Hold },
  { id, returnId, amount, med }: MedReturnRequest,
  at: Date,
): readonly NewEvent[] {
  const left = refundable(deposit);
  if (amount > left) throw new RefundExceedsOriginal(left);
  return [
    ...drawHold(state, med.holdId, { amount, transactionId: id }, at),
    RefundRegistered.create(`refund-${id}`, 1, {
      id,
      ...ofParent(deposit, state.account.partnerUid),
      direction: 'Out',
      amount: amount.toString(),
      returnId,
      med,
      party: detailsOf<CashInDetails>(deposit).payer,
      postings: [],
    }),
  ];
}

/** Ends a return that the rail made by itself, in the commit that registers it. */
export function completeMedReturn(
  deposit: Transaction,
  { account, settlement }: RefundAccounts,
  { id, returnId, amount, med }: MedReturnRequest,
  { at, receiptToken }: { readonly at: Date; readonly receiptToken: string },
): readonly NewEvent[] {
  // After `HoldDrawn`, which has two postings on the account.
  const drawn = { ...account, held: account.held + amount, entries: account.entries + 2 };
  return [
    RefundCompleted.create(`refund-${id}`, 2, {
      id,
      partnerUid: account.partnerUid,
      refundOf: deposit.id,
      direction: 'Out',
      amount: amount.toString(),
      returnId,
      settledAt: at.toISOString(),
      receiptToken,
      infractionId: med.infractionId,
      postings: post([
        { account: drawn, bucket: 'held', amount: -amount },
        { account: settlement, bucket: 'available', amount },
      ]),
    }),
  ];
}

export interface RefundRequest {
  readonly id: string;
  /** Ours, `D…`. */
  readonly returnId: string;
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

/** And the hold that a return of the MED is paid from. */
export interface EndingAccounts extends RefundAccounts {
  readonly hold?: Hold;
}

export type RefundEnding =
  | { readonly state: 'Completed'; readonly settledAt: Date; readonly receiptToken: string }
  | { readonly state: 'Error'; readonly reason: string };

/** Ends a refund of a cash-in: where the rail refuses a return of the MED, its money is blocked again. One that has ended stays as it is. */
export function endRefund(
  refund: Transaction,
  { account, settlement, hold }: EndingAccounts,
  ending: RefundEnding,
): readonly NewEvent[] {
  if (!canBecome(refund, ending.state)) return [];
  const { id, amount } = refund;
  const stream = `refund-${id}`;
  const { med } = detailsOf<RefundDetails>(refund);
  const common = {
    id,
    partnerUid: account.partnerUid,
    refundOf: refund.refundOf!,
    amount: amount.toString(),
    ...(med && { infractionId: med.infractionId }),
  };
  if (ending.state === 'Completed') {
    const data = {
      ...common,
      direction: 'Out' as const,
      returnId: refund.endToEndId!,
      settledAt: ending.settledAt.toISOString(),
      receiptToken: ending.receiptToken,
      postings: post([
        { account, bucket: 'held', amount: -amount },
        { account: settlement, bucket: 'available', amount },
      ]),
    };
    return [RefundCompleted.create(stream, refund.version + 1, data)];
  }
  if (med) {
    const errored = { ...common, reason: ending.reason, postings: [] };
    return [
      RefundErrored.create(stream, refund.version + 1, errored),
      ...restoreHold(account, hold!, { amount, transactionId: id }),
    ];
  }
  const postings = post([
    { account, bucket: 'held', amount: -amount },
    { account, bucket: 'available', amount },
  ]);
  return [RefundErrored.create(stream, refund.version + 1, { ...common, reason: ending.reason, postings })];
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
