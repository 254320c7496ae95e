import type { QueryResultRow } from 'pg';
import type { InlineProjection, Statement } from '../../event-store/index.js';
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

function insert(partition: number, transactions: readonly Transaction[]): Statement {
  return {
    name: 'transaction-insert',
    text: `
      insert into transaction (partition, ${TRANSACTION_COLUMNS})
      select h.partition, n.id, n.type, n.state, n.account_uid, n.counterparty_uid, n.amount, n.charges, n.order_id,
        n.end_to_end_id, n.refund_of, n.error_reason, n.state_dates::json, n.details::json, n.position, n.version
      from log_head h,
        unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::bigint[], $8::bigint[], $9::text[],
          $10::text[], $11::uuid[], $12::text[], $13::text[], $14::text[], $15::bigint[], $16::int[])
          as n (id, type, state, account_uid, counterparty_uid, amount, charges, order_id, end_to_end_id,
            refund_of, error_reason, state_dates, details, position, version)
      where h.partition = $1`,
    values: [
      partition,
      transactions.map((transaction) => transaction.id),
      transactions.map((transaction) => transaction.type),
      transactions.map((transaction) => transaction.state),
      transactions.map((transaction) => transaction.accountUid),
      transactions.map((transaction) => transaction.counterpartyUid),
      transactions.map((transaction) => transaction.amount),
      transactions.map((transaction) => transaction.charges),
      transactions.map((transaction) => transaction.orderId),
      transactions.map((transaction) => transaction.endToEndId),
      transactions.map((transaction) => transaction.refundOf),
      transactions.map((transaction) => transaction.errorReason),
      transactions.map((transaction) => JSON.stringify(transaction.stateDates)),
      transactions.map((transaction) => transaction.details && JSON.stringify(transaction.details)),
      transactions.map((transaction) => transaction.position),
      transactions.map((transaction) => transaction.version),
    ],
  };
}

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
