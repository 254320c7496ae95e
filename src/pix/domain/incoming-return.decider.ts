import { hasRoom, post, REPRESENTABLE, type Transaction } from '../../accounts/index.js';
import type { NewEvent } from '../../event-store/index.js';
import { type CashOutDetails, detailsOf } from './details.js';
import { UnmatchedReturnReceived } from './events/payment.events.js';
import { RefundCompleted, RefundRegistered } from './events/refund.events.js';
import { ofParent, type RefundAccounts } from './refund.decider.js';

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

function unmatchedReturn({ returnId, endToEndId, amount, at, code }: Omit<IncomingReturn, 'id'>) {
  const data = { returnId, endToEndId, amount: amount.toString(), settledAt: at.toISOString(), code };
  return UnmatchedReturnReceived.create(`payment-${returnId}`, 1, data);
}
