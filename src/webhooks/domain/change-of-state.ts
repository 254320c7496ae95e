import { registeredAt, type Transaction, type TransactionState } from '../../accounts/index.js';
import type { RecordedEvent, Sealed } from '../../event-store/index.js';
import {
  CashInCancelled,
  CashInCompleted,
  type CashInDetails,
  CashInErrored,
  CashInReversed,
  CashOutCancelled,
  CashOutCompleted,
  type CashOutDetails,
  CashOutErrored,
  CashOutRefused,
  CashOutRegistered,
  CashOutReversed,
  detailsOf,
  RefundCompleted,
  type RefundDetails,
  RefundErrored,
} from '../../pix/index.js';
import { formatAmount } from '../../platform/money.js';
import { type BodyMaterial, chainOfTransaction, type NewDelivery, type PartySource } from './delivery.js';

/** Every change of state after the transaction's creation, and its new state (contract 3 and 6). */
export const CHANGES: ReadonlyMap<string, TransactionState> = new Map([
  [CashInCompleted.type, 'Completed'],
  [CashInErrored.type, 'Error'],
  [CashInReversed.type, 'Reversed'],
  [CashInCancelled.type, 'Cancelled'],
  // Of a scheduled one; else it is the creation itself.
  [CashOutRegistered.type, 'Registered'],
  [CashOutRefused.type, 'Error'],
  [CashOutCancelled.type, 'Cancelled'],
  [CashOutCompleted.type, 'Completed'],
  [CashOutErrored.type, 'Error'],
  [CashOutReversed.type, 'Reversed'],
  [RefundCompleted.type, 'Completed'],
  [RefundErrored.type, 'Error'],
]);

/** The transaction whose state an event changes; `undefined` for every other event. */
export function changedTransaction(event: RecordedEvent): string | undefined {
  if (!CHANGES.has(event.type) || (CashOutRegistered.is(event) && event.version === 1)) return undefined;
  return (event.data as { id: string }).id;
}

/**
 * The delivery for a change of state; `undefined` where the transaction names no address.
 * @param transaction after the event, or after later ones: what is said of a state that is not final may not change
 */
export function deliveryOf(
  event: RecordedEvent,
  transaction: Transaction,
  partnerUid: string,
): NewDelivery | undefined {
  const state = CHANGES.get(event.type)!;
  const side = sideOf(transaction, state);
  if (!side.webhook) return undefined;
  const { url, header } = side.webhook;
  return {
    id: event.id,
    position: event.position,
    chain: chainOfTransaction(transaction),
    transactionId: transaction.id,
    transactionState: state,
    type: null,
    accountUid: transaction.accountUid,
    partnerUid,
    url,
    header: header ?? null,
    material: materialOf(state, transaction, side, url),
  };
}

interface Side {
  readonly type: 'Debit' | 'Credit';
  readonly partyRole: 'recipient' | 'payer';
  readonly party: Sealed<PartySource> | undefined;
  readonly webhook?: CashInDetails['webhook'];
  readonly orderDescription?: Sealed<string>;
  readonly receiptToken?: string;
  readonly settledAt?: string;
}

/** The direction of the payment and its counterparty: as reported by the rail, else as in the request. */
function sideOf(transaction: Transaction, state: TransactionState): Side {
  switch (transaction.type) {
    case 'CashOut': {
      const details = detailsOf<CashOutDetails>(transaction);
      // A failed payment paid nobody, so the payee found in DICT is left out; before the end it is the request's.
      const paid = ['Registered', 'Error'].includes(state) ? undefined : details.payee;
      return { ...details, type: 'Debit', partyRole: 'recipient', party: paid ?? details.recipient };
    }
    case 'CashIn': {
      const details = detailsOf<CashInDetails>(transaction);
      return { ...details, type: 'Credit', partyRole: 'payer', party: details.payer ?? details.expectedPayer };
    }
    case 'Refund': {
      // Decisions 8: the parent's party and order; Debit for a refund sent, Credit for a refund received.
      const details = detailsOf<RefundDetails>(transaction);
      return details.direction === 'Out'
        ? { ...details, type: 'Debit', partyRole: 'payer', party: details.party }
        : { ...details, type: 'Credit', partyRole: 'recipient', party: details.party };
    }
    case 'Transfer':
      throw new TypeError('a transfer has no webhook');
  }
}

function materialOf(state: TransactionState, transaction: Transaction, side: Side, url: string): BodyMaterial {
  const { id, stateDates } = transaction;
  const completed = state === 'Completed';
  return {
    fields: {
      id,
      transactionState: state,
      transactionDate: registeredAt(transaction),
      transactionAmount: formatAmount(transaction.amount),
      transactionType: side.type,
      transactionPaymentType: 'PIX',
      transactionOrderId: transaction.orderId ?? '',
      transactionCharges: formatAmount(transaction.charges),
      webhookUrl: url,
      receiptToken: (completed && side.receiptToken) || null,
      transactionReceiptDate: completed ? (side.settledAt ?? stateDates.Completed!) : null,
      transactionReceiptVoucher: (state !== 'Registered' && transaction.endToEndId) || '',
      stateRegisteredDate: stateDates.Registered ?? null,
      stateCompletedDate: completed ? stateDates.Completed! : null,
      other: otherDates(state, transaction),
    },
    partyRole: side.partyRole,
    party: side.party ?? null,
    description: side.orderDescription ?? null,
  };
}

/** Decisions 8: fields of states other than Completed. */
function otherDates(state: TransactionState, { stateDates, errorReason }: Transaction): Record<string, string> {
  const date = stateDates[state]!;
  switch (state) {
    case 'Error':
      return { stateErrorDate: date, stateErrorCause: errorReason ?? '' };
    case 'Cancelled':
      return { stateCancelledDate: date };
    case 'Reversed':
      return { stateReversedDate: date };
    case 'Scheduled':
    case 'Registered':
    case 'Completed':
      return {};
  }
}
