import type { Transaction } from '../../accounts/index.js';
import { partitionOf } from '../../event-store/index.js';
import { formatAmount } from '../../platform/money.js';
import type { Owner } from '../names/names.js';

/** A transaction as operators and auditors find it. Amounts are decimal text, dates ISO. */
export interface FoundTransaction {
  readonly id: string;
  readonly partition: number;
  readonly partnerUid: string;
  /** `null` where the person was forgotten, as the two names below. */
  readonly partnerName: string | null;
  readonly accountUid: string;
  readonly accountName: string | null;
  /** The other account of a transfer. */
  readonly counterpartyUid: string | null;
  /** The other account's holder, or whoever paid or was paid. */
  readonly counterpartyName: string | null;
  readonly type: string;
  readonly state: string;
  readonly amount: string;
  readonly charges: string;
  readonly orderId: string | null;
  readonly endToEndId: string | null;
  readonly refundOf: string | null;
  readonly errorReason: string | null;
  readonly registeredAt: string;
  /** When it came to its present state. */
  readonly changedAt: string;
}

export const FOUND_EXAMPLE: FoundTransaction = {
  id: '0199d1f0-7c3b-7001-8b1c-0d2e4f6a8c9b',
  partition: 1,
  partnerUid: '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e',
  partnerName: 'Loja Exemplo Ltda',
  accountUid: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
  accountName: 'Loja Exemplo Ltda',
  counterpartyUid: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7f',
  counterpartyName: 'Maria Souza',
  type: 'CashOut',
  state: 'Completed',
  amount: '10.50',
  charges: '0.00',
  orderId: 'order-1',
  endToEndId: 'E1234567820261120140400101234567',
  refundOf: '0199d1f0-7c3b-7001-8b1c-0d2e4f6a8c9a',
  errorReason: 'AC07',
  registeredAt: '2026-11-20T14:04:05.123Z',
  changedAt: '2026-11-20T14:04:05.321Z',
};

/** Members of it that may be `null`. */
export const FOUND_NULLABLE = [
  'partnerName',
  'accountName',
  'counterpartyUid',
  'counterpartyName',
  'orderId',
  'endToEndId',
  'refundOf',
  'errorReason',
] as const;

/** Whose it is, named. */
export interface NamedOwner extends Owner {
  readonly partnerName: string | null;
}

export function showFound(transaction: Transaction, owner: NamedOwner): FoundTransaction {
  const { id, accountUid, counterpartyUid, type, state, amount, charges, stateDates } = transaction;
  return {
    id,
    partition: partitionOf(id)!,
    partnerUid: owner.partnerUid,
    partnerName: owner.partnerName,
    accountUid,
    accountName: owner.accountName,
    counterpartyUid,
    counterpartyName: owner.counterpartyName,
    type,
    state,
    amount: formatAmount(amount),
    charges: formatAmount(charges),
    orderId: transaction.orderId,
    endToEndId: transaction.endToEndId,
    refundOf: transaction.refundOf,
    errorReason: transaction.errorReason,
    registeredAt: registeredAt(transaction),
    changedAt: stateDates[state]!,
  };
}

export function registeredAt({ stateDates, state }: Transaction): string {
  return stateDates.Registered ?? stateDates[state]!;
}
