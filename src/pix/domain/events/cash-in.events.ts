import { describeEntries, describeTransaction, type Posting, WITHOUT_ENTRIES } from '../../../accounts/index.js';
import { defineEvent, type Personal } from '../../../event-store/index.js';
import type { CashInDetails } from '../details.js';
import { known, reached, withDetails } from './evolution.js';
import type { ExpectedPayer, Party, PaymentFacts, SentOver, WebhookTarget } from './shared.js';

/** Streams are `cash-in-<id>`. Amounts are centavos in decimal text. */
export const CashInRegistered = defineEvent<{
  id: string;
  partnerUid: string;
  accountUid: string;
  amount: string;
  /** Fixed now; taken by the event that completes it. */
  charges: string;
  orderId: string;
  /** The partner's orders were unique: the account had no other with it. */
  orderIsUnique?: true;
  orderDescription?: Personal<string>;
  /** Absent where the request names no payer. */
  expectedPayer?: Personal<ExpectedPayer>;
  webhook: WebhookTarget;
  /** The copy-and-paste code; the rail knows its charge by the txid (`txidOf(id)`). */
  qrCode: string;
  /** Where the payer's bank fetches the charge: host and path, no scheme. */
  location: string;
  expiresAt: string;
}>()('CashInRegistered', 'A deposit can be paid by its code, once, until it expires.');

export const CashInCompleted = defineEvent<{
  id: string;
  partnerUid: string;
  payment: PaymentFacts;
  payer: Personal<Party>;
  receiptToken: string;
  /** Where a rule blocks the credit: the hold, placed in the same commit. */
  hold?: CashInDetails['hold'];
  postings: readonly Posting[];
}>()('CashInCompleted', 'A payment that fits came in: it is credited and the charge is taken. Final.');

export const CashInErrored = defineEvent<{
  id: string;
  /** Where a payment is returned; earlier events do not have it. */
  partnerUid?: string;
  /** `AmountMismatch`, `PayerTaxNumberMismatch`, `PayerAccountMismatch`, `AccountIsNotActive` …, or the rail's code. */
  reason: string;
  /** The payment that did not fit; absent where the payment failed at the rail. */
  payment?: PaymentFacts;
  payer?: Personal<Party>;
  /** Our identifier (`D…`) under which the payment is returned. */
  returnId?: string;
  /** The rail that is to return it; earlier events do not have it. */
  sentOver?: SentOver;
}>()('CashInErrored', 'A payment that does not fit came in and is returned to the payer. Final.');

export const CashInReversed = defineEvent<{ id: string; reason: string }>()(
  'CashInReversed',
  'The rail returned the payment before it was completed. Final.',
);

export const CashInCancelled = defineEvent<{ id: string; cause: 'Expired' | 'CancelledByPartner' }>()(
  'CashInCancelled',
  'It was not paid in time, or the partner cancelled it. Final.',
);

export const CashInPaymentReturned = defineEvent<{
  id: string;
  partnerUid: string;
  /** `Late`: it came after the end. `Second`: the deposit was paid already. */
  cause: 'Late' | 'Second';
  payment: PaymentFacts;
  payer: Personal<Party>;
  returnId: string;
  /** As in `CashInErrored`. */
  sentOver?: SentOver;
}>()('CashInPaymentReturned', 'A late or second payment for a code came in and is returned. The state stays.');

export const CashInTold = defineEvent<{
  id: string;
  /** Who paid, by the rail's notification only. */
  payer?: Personal<Party>;
  /** The rail's fee, centavos. */
  fee?: string;
}>()('CashInTold', 'Details of a payment that only a notification of the rail has. They decide nothing.');

describeEntries(CashInCompleted, ({ id }) => ({ kind: 'CashIn', transactionId: id }));

const itself = ({ id }: { id: string }) => [id];

describeTransaction(CashInRegistered, itself, (_none, { data, time, position, version }) => {
  const { orderDescription, expectedPayer, webhook, qrCode, location, expiresAt } = data;
  const details: CashInDetails = {
    ...(orderDescription && { orderDescription }),
    ...(expectedPayer && { expectedPayer }),
    webhook,
    qrCode,
    location,
    expiresAt,
    refunded: '0',
  };
  return {
    id: data.id,
    type: 'CashIn',
    state: 'Registered',
    accountUid: data.accountUid,
    counterpartyUid: null,
    amount: BigInt(data.amount),
    charges: BigInt(data.charges),
    orderId: data.orderId,
    endToEndId: null,
    refundOf: null,
    errorReason: null,
    stateDates: { Registered: time.toISOString() },
    details: { ...details },
    position,
    version,
    payer: null,
    ...WITHOUT_ENTRIES,
  };
});

describeTransaction(CashInCompleted, itself, (transaction, event) => {
  const { payment, payer, receiptToken, hold } = event.data;
  const changes = { endToEndId: payment.endToEndId, payer: payer.subject };
  const completed = reached(transaction, event, 'Completed', changes);
  return withDetails(completed, { payer, receiptToken, settledAt: payment.settledAt, ...(hold && { hold }) });
});

describeTransaction(CashInErrored, itself, (transaction, event) => {
  const { reason, payment, payer } = event.data;
  const changes = { errorReason: reason, ...(payment && { endToEndId: payment.endToEndId }) };
  return withDetails(reached(transaction, event, 'Error', changes), payer ? { payer } : {});
});

describeTransaction(CashInReversed, itself, (transaction, event) =>
  reached(transaction, event, 'Reversed', { errorReason: event.data.reason }),
);

describeTransaction(CashInCancelled, itself, (transaction, event) =>
  reached(transaction, event, 'Cancelled', { errorReason: event.data.cause }),
);

describeTransaction(CashInPaymentReturned, itself, (transaction, event) => ({
  ...known(transaction, event),
  version: event.version,
}));

describeTransaction(CashInTold, itself, (transaction, event) => {
  const { payer, fee } = event.data;
  const extras = { ...(payer && { payerTold: payer }), ...(fee && { feeTold: fee }) };
  return { ...withDetails(known(transaction, event), extras), version: event.version };
});
