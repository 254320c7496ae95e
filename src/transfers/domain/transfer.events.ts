import { describeEntries, describeTransaction, type Posting } from '../../accounts/index.js';
import { defineEvent, type Personal } from '../../event-store/index.js';

export const TransferSettled = defineEvent<{
  id: string;
  partnerUid: string;
  sourceUid: string;
  destinationUid: string;
  /** Centavos in decimal text. */
  amount: string;
  description?: Personal<string>;
  postings: readonly Posting[];
}>()('TransferSettled', 'Money moved between two accounts of one partner, at once and for good.');

describeEntries(TransferSettled, ({ id, description }) => ({ kind: 'Transfer', transactionId: id, description }));

describeTransaction(
  TransferSettled,
  ({ id }) => [id],
  (_none, { data, time, position, version }) => ({
    id: data.id,
    type: 'Transfer',
    state: 'Completed',
    accountUid: data.sourceUid,
    counterpartyUid: data.destinationUid,
    amount: BigInt(data.amount),
    charges: 0n,
    orderId: null,
    endToEndId: null,
    refundOf: null,
    errorReason: null,
    stateDates: { Completed: time.toISOString() },
    details: data.description ? { orderDescription: data.description } : null,
    position,
    version,
    payer: null,
  }),
);
