import type { QueryResultRow } from 'pg';
import { type InlineProjection, inserter, type Statement } from '../../event-store/index.js';
import {
  evolveTransaction,
  type Transaction,
  transactionsOf,
  type TransactionState,
  type TransactionType,
} from './transaction.js';

export const TRANSACTION_COLUMNS = `id, type, state, account_uid, counterparty_uid, amount, charges, order_id, end_to_end_id,
  refund_of, error_reason, state_dates, details, position, version`;

export function parseTransaction(row: QueryResultRow): Transaction {
  return {
    id: row.id as string,
    type: row.type as TransactionType,
    state: row.state as TransactionState,
    accountUid: row.account_uid as string,
    counterpartyUid: row.counterparty_uid as string | null,
    amount: BigInt(row.amount as string),
    charges: BigInt(row.charges as string),
    orderId: row.order_id as string | null,
    endToEndId: row.end_to_end_id as string | null,
    refundOf: row.refund_of as string | null,
    errorReason: row.error_reason as string | null,
    stateDates: row.state_dates as Transaction['stateDates'],
    details: row.details as Transaction['details'],
    position: BigInt(row.position as string),
    version: row.version as number,
  };
}

/** Transactions as they are read by id and in lists, and as deciders of payments see them. */
export const transactionProjection: InlineProjection<Transaction> = {
  name: 'transactions',
  keysOf: transactionsOf,
  evolve: evolveTransaction,
  keyOf: (transaction) => transaction.id,
  parse: parseTransaction,

  load: (partition, keys) => ({
    name: 'transaction-load',
    text: `select ${TRANSACTION_COLUMNS} from transaction where partition = $1 and id = any($2::uuid[])`,
    values: [partition, keys],
  }),

  scan: (partition, afterKey, limit) => ({
    name: 'transaction-scan',
    text: `
      select ${TRANSACTION_COLUMNS} from transaction
      where partition = $1 and id > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid
      order by id limit $3`,
    values: [partition, afterKey, limit],
  }),

  // A transfer is complete with its event; payments go through states, and are refunded.
  fixed: {
    has: ({ type }) => type === 'Transfer',
    scan: {
      name: 'transaction-sum',
      text: `
        select ${TRANSACTION_COLUMNS} from transaction
        where partition = $1 and id > $3::uuid
        order by id limit $2`,
      first: ['00000000-0000-0000-0000-000000000000'],
      position: 13,
      only: { column: 1, text: 'Transfer' },
    },
    textsOf: (transaction) => [
      transaction.id,
      transaction.type,
      transaction.state,
      transaction.accountUid,
      transaction.counterpartyUid,
      String(transaction.amount),
      String(transaction.charges),
      transaction.orderId,
      transaction.endToEndId,
      transaction.refundOf,
      transaction.errorReason,
      JSON.stringify(transaction.stateDates),
      transaction.details && JSON.stringify(transaction.details),
      String(transaction.position),
      String(transaction.version),
    ],
  },

  remove: (partition, keys) => [
    {
      name: 'transaction-remove',
      text: 'delete from transaction where partition = $1 and id = any($2::uuid[])',
      values: [partition, keys],
    },
  ],

  save: (partition, { inserted, updated }) => [
    ...(inserted.length > 0 ? [insert(partition, inserted)] : []),
    ...(updated.length > 0 ? [update(partition, updated)] : []),
  ],
};

const insert = inserter<Transaction>('transaction-insert', 'transaction', [
  ['id', 'uuid', (transaction) => transaction.id],
  ['type', 'text', (transaction) => transaction.type],
  ['state', 'text', (transaction) => transaction.state],
  ['account_uid', 'uuid', (transaction) => transaction.accountUid],
  ['counterparty_uid', 'uuid', (transaction) => transaction.counterpartyUid],
  ['amount', 'bigint', (transaction) => transaction.amount],
  ['charges', 'bigint', (transaction) => transaction.charges],
  ['order_id', 'text', (transaction) => transaction.orderId],
  ['end_to_end_id', 'text', (transaction) => transaction.endToEndId],
  ['refund_of', 'uuid', (transaction) => transaction.refundOf],
  ['error_reason', 'text', (transaction) => transaction.errorReason],
  ['state_dates', 'json', (transaction) => JSON.stringify(transaction.stateDates)],
  ['details', 'json', (transaction) => transaction.details && JSON.stringify(transaction.details)],
  ['position', 'bigint', (transaction) => transaction.position],
  ['version', 'int', (transaction) => transaction.version],
]);

/** What a transaction was created with stays; its state and what the rail told of it change. */
function update(partition: number, transactions: readonly Transaction[]): Statement {
  return {
    name: 'transaction-update',
    text: `
      update transaction t
      set state = n.state, end_to_end_id = n.end_to_end_id, error_reason = n.error_reason,
        state_dates = n.state_dates::json, details = n.details::json, version = n.version
      from unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::int[])
        as n (id, state, end_to_end_id, error_reason, state_dates, details, version)
      where t.partition = $1 and t.id = any($2::uuid[]) and t.id = n.id`,
    values: [
      partition,
      transactions.map((transaction) => transaction.id),
      transactions.map((transaction) => transaction.state),
      transactions.map((transaction) => transaction.endToEndId),
      transactions.map((transaction) => transaction.errorReason),
      transactions.map((transaction) => JSON.stringify(transaction.stateDates)),
      transactions.map((transaction) => transaction.details && JSON.stringify(transaction.details)),
      transactions.map((transaction) => transaction.version),
    ],
  };
}
