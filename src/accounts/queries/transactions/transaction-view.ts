import { ApiProperty } from '@nestjs/swagger';
import type { Sealed } from '../../../event-store/index.js';
import type { Config } from '../../../platform/config/index.js';
import { AMOUNT, MOMENT, UUID } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import type { Holder } from '../../domain/account.events.js';
import {
  registeredAt,
  type Transaction,
  TRANSACTION_STATES,
  TRANSACTION_TYPES,
  type TransactionState,
  type TransactionType,
} from '../../transactions/transaction.js';
import { scheduleOf } from '../../scheduling/schedule-terms.js';
import { type Opened, paymentDescription } from './payment-description.js';

export const TRANSACTION_STATE = { enum: TRANSACTION_STATES, enumName: 'TransactionState' };
export const TRANSACTION_TYPE = { enum: TRANSACTION_TYPES, enumName: 'TransactionType' };
/** Of the newest notification. Whoever delivers them says what it means. */
const DELIVERY = { enum: ['Pending', 'Retrying', 'Delivered', 'Stopped', 'Exhausted'], enumName: 'DeliveryStatus' };

/** `data.transaction` of a creation answer, contract 2.6. */
export class TransactionSummary {
  @ApiProperty(UUID) readonly id: string;
  @ApiProperty(TRANSACTION_STATE) readonly state: TransactionState;
  @ApiProperty(MOMENT) readonly date: string;
  readonly orderId: string | null;
  @ApiProperty(AMOUNT) readonly amount: string;
  readonly institution: string;
  readonly accountNumber: string;
  readonly ispb: string;
}

export class ReadTransaction extends TransactionSummary {
  @ApiProperty(TRANSACTION_TYPE) readonly type: TransactionType;
  readonly orderDescription: string;
  @ApiProperty(AMOUNT) readonly charges: string;
  readonly endToEndId: string | null;
  @ApiProperty(UUID) readonly refundOf: string | null;
  readonly errorReason: string | null;

  /** Only of a transaction that was scheduled: when it is carried out, and until when it waits for missing funds */
  @ApiProperty(MOMENT) readonly scheduledFor?: string;
  @ApiProperty(MOMENT) readonly retryUntil?: string;

  /** The repeating schedule that it is a run of */
  @ApiProperty(UUID) readonly scheduleId?: string;

  /** By state */
  @ApiProperty({ type: 'object', additionalProperties: MOMENT })
  readonly stateDates: Readonly<Record<string, string>>;
}

export class NotificationsView {
  @ApiProperty(DELIVERY) readonly deliveryStatus: string | null;
}

/** A transaction as partners read it, decisions 5. */
export class TransactionView {
  readonly transaction: ReadTransaction;

  /** As its type has it */
  readonly payment: Record<string, unknown> | null;
  readonly webhook: NotificationsView | null;
}

/** A transaction's fields in a summary: `amount` in signed centavos, `date` ISO. */
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

/** The description that every type of transaction may have. */
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
      ...summarise({ id, state, date: registeredAt(transaction), orderId, amount }, holder, config),
      type,
      orderDescription: (description && open(description)) ?? '',
      charges: formatAmount(transaction.charges),
      endToEndId: transaction.endToEndId,
      refundOf: transaction.refundOf,
      errorReason: transaction.errorReason,
      ...shownTerms(transaction),
      stateDates,
    },
    payment: paymentDescription(type)?.show(transaction, open, config.publicUrl) ?? null,
    webhook: isTransfer ? null : { deliveryStatus },
  };
}

function shownTerms(transaction: Transaction) {
  const { timerId: _, ...shown } = scheduleOf(transaction) ?? {};
  return shown;
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
