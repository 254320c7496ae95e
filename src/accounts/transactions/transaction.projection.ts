import { type InlineProjection, Table } from '../../event-store/index.js';
import { evolveTransaction, type Transaction, transactionsOf } from './transaction.js';

/** What a transaction was created with stays; its state and what the rail told of it change. */
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
  },
  changes: ['state', 'endToEndId', 'errorReason', 'stateDates', 'details', 'version'],
});

/** Transactions as they are read by id and in lists, and as deciders of payments see them. */
export const transactionProjection: InlineProjection<Transaction> = {
  name: 'transactions',
  keysOf: transactionsOf,
  evolve: evolveTransaction,
  ...transactionTable.inline(),
  // A transfer is complete with its event; payments go through states, and are refunded.
  fixed: transactionTable.fixed({ member: 'type', text: 'Transfer' }),
};
