import { type InlineProjection, Table } from '../../event-store/index.js';
import { evolveTransaction, type Transaction, transactionContradiction, transactionsOf } from './transaction.js';

/** Fields fixed at creation are written once; the state and the fields reported by the rail are updated. */
export const transactionTable = new Table<Transaction>({
  table: 'transaction',
  columns: {
    id: 'uuid',
    type: 'text',
    state: 'text',
    accountUid: 'uuid',
    counterpartyUid: 'uuid',
    amount: 'bigint',
    charges: 'bigint',
    orderId: 'text',
    endToEndId: 'text',
    refundOf: 'uuid',
    errorReason: 'text',
    stateDates: 'json',
    details: 'json',
    position: 'bigint',
    version: 'int',
    payer: 'uuid',
    entry: 'int',
    balance: 'bigint',
    counterpartyEntry: 'int',
    counterpartyBalance: 'bigint',
  },
  alike: [
    ['type', 'state', 'charges', 'refundOf', 'errorReason', 'version', 'payer'],
    ['endToEndId', 'details'],
    ['orderId'],
    ['stateDates'],
    ['counterpartyUid', 'counterpartyEntry', 'counterpartyBalance', 'entry', 'balance'],
  ],
  changes: ['state', 'endToEndId', 'errorReason', 'stateDates', 'details', 'version', 'payer'],
});

/** Rows of transfers that were never scheduled. */
export const COMPLETE_AT_ONCE = { type: 'Transfer', state: 'Completed', version: '1' } as const;

/** Transactions, read by id, in lists, and by deciders of payments. */
export const transactionProjection: InlineProjection<Transaction> = {
  name: 'transactions',
  keysOf: transactionsOf,
  evolve: evolveTransaction,
  contradicts: transactionContradiction,
  ...transactionTable.inline(),
  // A transfer is complete with its first event, unless it was scheduled; payments change state, and are refunded.
  fixed: transactionTable.fixed(COMPLETE_AT_ONCE),
};
