import { registeredAt, type Transaction } from '../../accounts/index.js';
import { partitionOf } from '../../event-store/index.js';
import { formatAmount } from '../../platform/money.js';
import type { Owner } from '../names/names.js';
import type { FoundTransaction } from './search.answer.js';

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

/** The parties, with the partner's name. */
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
