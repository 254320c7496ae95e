import type { Sealed } from '../../../event-store/index.js';
import type { Config } from '../../../platform/config/index.js';
import { formatAmount } from '../../../platform/money.js';
import type { Holder } from '../../domain/account.events.js';
import type { Transaction } from '../../transactions/transaction.js';
import { type Opened, paymentDescription } from './payment-description.js';

/** `data.transaction` of a creation answer, contract 2.6. */
export interface TransactionSummary {
  readonly id: string;
  readonly state: string;
  readonly date: string;
  readonly orderId: string | null;
  readonly amount: string;
  readonly institution: string;
  readonly accountNumber: string;
  readonly ispb: string;
}

/** A transaction as partners read it, decisions 5. */
export interface TransactionView {
  readonly transaction: TransactionSummary & {
    readonly type: string;
    readonly orderDescription: string;
    readonly charges: string;
    readonly endToEndId: string | null;
    readonly refundOf: string | null;
    readonly errorReason: string | null;
    readonly stateDates: Readonly<Record<string, string>>;
  };
  readonly payment: Record<string, unknown> | null;
  readonly webhook: { readonly deliveryStatus: string | null } | null;
}

/** What a summary tells of a transaction itself: `amount` in signed centavos, `date` ISO. */
export type SummaryFacts = Pick<TransactionSummary, 'id' | 'state' | 'date' | 'orderId'> & { readonly amount: bigint };

/** @param holder of the account that the transaction belongs to; `accountNumber` ends in its verification digit */
export function summarise(
  { id, state, date, orderId, amount }: SummaryFacts,
  holder: Pick<Holder, 'number' | 'digit'>,
  { institution }: Pick<Config, 'institution'>,
): TransactionSummary {
  return {
    id,
    state,
    date,
    orderId,
    amount: formatAmount(amount),
    institution: institution.name,
    accountNumber: `${holder.number}${holder.digit}`,
    ispb: institution.ispb,
  };
}

/** The description that every type of transaction may carry. */
export function descriptionOf({ details }: Transaction): Sealed<string> | undefined {
  return details?.orderDescription as Sealed<string> | undefined;
}

export interface ShownTo {
  /** The account of the context; a transfer's amount is negative for its sender. */
  readonly accountUid: string;
  readonly holder: Pick<Holder, 'number' | 'digit'>;
  readonly deliveryStatus: string | null;
}

export function showTransaction(
  transaction: Transaction,
  { accountUid, holder, deliveryStatus }: ShownTo,
  open: Opened,
  config: Pick<Config, 'institution' | 'publicUrl'>,
): TransactionView {
  const { id, type, state, orderId, stateDates } = transaction;
  const isTransfer = type === 'Transfer';
  const amount = isTransfer && transaction.accountUid === accountUid ? -transaction.amount : transaction.amount;
  const description = descriptionOf(transaction);
  return {
    transaction: {
      ...summarise({ id, state, date: createdAt(transaction), orderId, amount }, holder, config),
      type,
      orderDescription: (description && open(description)) ?? '',
      charges: formatAmount(transaction.charges),
      endToEndId: transaction.endToEndId,
      refundOf: transaction.refundOf,
      errorReason: transaction.errorReason,
      stateDates,
    },
    payment: paymentDescription(type)?.show(transaction, open, config.publicUrl) ?? null,
    webhook: isTransfer ? null : { deliveryStatus },
  };
}

/** A transfer is completed from the start, everything else registered first. */
function createdAt({ stateDates }: Transaction): string {
  return stateDates.Registered ?? stateDates.Completed!;
}

export const SUMMARY_EXAMPLE: TransactionSummary = {
  id: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
  state: 'Registered',
  date: '2026-11-20T14:04:05.123Z',
  orderId: 'order-1',
  amount: '10.50',
  institution: 'Instituicao Exemplo IP S.A.',
  accountNumber: '1000014',
  ispb: '12345678',
};

export const TRANSACTION_EXAMPLE: TransactionView = {
  transaction: {
    ...SUMMARY_EXAMPLE,
    state: 'Completed',
    type: 'CashOut',
    orderDescription: 'Supplier',
    charges: '0.00',
    endToEndId: 'E1234567820261120140400101234567',
    refundOf: null,
    errorReason: null,
    stateDates: { Registered: '2026-11-20T14:04:05.123Z', Completed: '2026-11-20T14:04:05.321Z' },
  },
  payment: null,
  webhook: { deliveryStatus: 'Delivered' },
};

/** What of the example need not be there, for the documents. */
export const TRANSACTION_FREEDOM = {
  nullable: ['orderId', 'endToEndId', 'refundOf', 'errorReason', 'webhook', 'deliveryStatus'],
  partial: ['stateDates'],
} as const;
