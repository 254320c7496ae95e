import { Injectable } from '@nestjs/common';
import { EventLog, partitionOf, type Statement } from '../../../event-store/index.js';
import { Database, KeyedReads } from '../../../platform/database/index.js';
import { isOfOrder, orderIdentity } from '../../transactions/orders.js';
import type { Transaction, TransactionType } from '../../transactions/transaction.js';
import { transactionTable, transactionProjection } from '../../transactions/transaction.projection.js';
import type { TransactionFilters } from './transactions.query.js';

interface Window {
  readonly partnerUid: string;
  readonly accountUid: string;
  readonly filters: TransactionFilters;
  /** An order is looked for as unique ones are compared, however it was written. */
  readonly uniqueOrderIds: boolean;
  /** Positions: the newest first, all before `before`. */
  readonly before: string | null;
  readonly limit: number;
}

/** Reads of the transaction view. */
@Injectable()
export class TransactionRows {
  readonly #byId: KeyedReads<Transaction>;
  readonly #byEndToEndId: KeyedReads<Transaction>;

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
  ) {
    const { parse } = transactionTable;
    const byIds = (partition: number, ids: readonly string[]) => transactionProjection.load(partition, ids);
    this.#byId = new KeyedReads(database, byIds, parse, ({ id }) => id);
    this.#byEndToEndId = new KeyedReads(database, byEndToEndIds, parse, ({ endToEndId }) => endToEndId!);
  }

  async find(id: string): Promise<Transaction | undefined> {
    const partition = partitionOf(id);
    return partition === undefined ? undefined : this.#byId.find(partition, id);
  }

  /** Transactions of one partition by id, in no order. */
  async some(partition: number, ids: readonly string[]): Promise<Transaction[]> {
    const rows = ids.length === 0 ? [] : await this.database.query(transactionProjection.load(partition, ids));
    return rows.map(transactionTable.parse);
  }

  async list(partition: number, window: Window): Promise<Transaction[]> {
    const { from, to } = window.filters;
    const bounds = await Promise.all([
      from && this.log.firstPositionAt(partition, from),
      to && this.log.firstPositionAt(partition, to),
    ]);
    const rows = await this.#read(window, listStatement(partition, window, bounds));
    return rows.map(transactionTable.parse);
  }

  #read({ partnerUid, filters }: Window, statement: Statement) {
    const { type, state, orderId, endToEndId } = filters;
    // No index has these: of an account's whole history, none may be such.
    if (type !== undefined || state !== undefined) {
      return this.database.inTurn(partnerUid, () => this.database.query(statement));
    }
    if (orderId !== undefined || endToEndId !== undefined) return this.database.query(statement);
    // Without a filter it reads no row more than it gives: then it takes its turn among the keyed reads.
    return this.database.lookUp(statement);
  }

  /** Whether an account has a number of transactions that wait for their time. */
  async hasWaiting(partition: number, accountUid: string, number: number): Promise<boolean> {
    const rows = await this.database.query({
      name: 'scheduled-count',
      text: `
        select from scheduled_transaction
        where partition = $1 and account_uid = $2 and waits
        order by position offset $3 limit 1`,
      values: [partition, accountUid, number - 1],
    });
    return rows.length > 0;
  }

  /** The payout or refund that the rail knows by an identifier. */
  byEndToEndId(partition: number, endToEndId: string): Promise<Transaction | undefined> {
    return this.#byEndToEndId.find(partition, endToEndId);
  }

  /** The deposit that a payment paid. For background work. */
  async paidBy(partition: number, endToEndId: string): Promise<Transaction | undefined> {
    const [row] = await this.database.backgroundQuery(byEndToEndIds(partition, [endToEndId], ['CashIn']));
    return row && transactionTable.parse(row);
  }

  /** What of a deposit is back, in centavos: its completed refunds, which have its order. For background work. */
  async completedRefunds({
    id,
    accountUid,
    orderId,
    position,
  }: Transaction): Promise<{ id: string; amount: bigint }[]> {
    const rows = await this.database.backgroundQuery<{ id: string; amount: string }>({
      name: 'transaction-refunded',
      text: `
        select id, amount from transaction
        where partition = $1 and account_uid = $2 and order_id = $3 and position > $4
          and refund_of = $5 and state = 'Completed'`,
      values: [partitionOf(id), accountUid, orderId, position, id],
    });
    return rows.map((row) => ({ id: row.id, amount: BigInt(row.amount) }));
  }

  /** Those of the payments that a deposit names. For background work. */
  async knownPayments(partition: number, endToEndIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.backgroundQuery<{ end_to_end_id: string }>(
      byEndToEndIds(partition, endToEndIds, ['CashIn']),
    );
    return new Set(rows.map((row) => row.end_to_end_id));
  }

  /** Whether one of these data subjects has paid a deposit of the account that was completed. */
  async arePaidBy(partition: number, accountUid: string, subjects: readonly string[]): Promise<boolean> {
    const rows = await this.database.query({
      name: 'payer-of-account',
      text: `
        select from transaction
        where partition = $1 and account_uid = $2 and payer = any($3::uuid[]) limit 1`,
      values: [partition, accountUid, subjects],
    });
    return rows.length > 0;
  }
}

/**
 * Transactions that the rail knows by identifiers ($2), of some types. Each is looked for by its whole key: to the
 * planner a list of keys seems dearer than all of a partition that is small yet, and the plan outlives that.
 */
export const byEndToEndIds = (
  partition: number,
  ids: readonly string[],
  types: readonly TransactionType[] = ['CashOut', 'Refund'],
): Statement => ({
  name: 'transactions-by-end-to-end-ids',
  text: `
    select t.*
    from unnest($2::text[]) as n (id) cross join unnest($3::text[]) as k (type)
    cross join lateral (
      select ${transactionTable.columns} from transaction
      where partition = $1 and end_to_end_id = n.id and type = k.type offset 0) as t`,
  values: [partition, ids, types],
});

type Bounds = readonly (string | undefined)[];

/**
 * One statement for each leading index: the order, the rail's identifier, what waits for its time, or the account's own
 * history.
 */
export function listStatement(partition: number, window: Window, [from, to]: Bounds): Statement {
  const { accountUid, filters, uniqueOrderIds, before, limit } = window;
  const { type, state, orderId, endToEndId } = filters;
  const common = [partition, accountUid, before, from ?? null, to ?? null, type ?? null, state ?? null, limit];
  const condition = `
    position < coalesce($3::bigint, 9223372036854775807) and position >= coalesce($4::bigint, 0)
    and position < coalesce($5::bigint, 9223372036854775807)
    and ($6::text is null or type = $6) and ($7::text is null or state = $7)`;
  if (orderId !== undefined && uniqueOrderIds) {
    // `offset 0`: few rows have the order, so they are found by it first, not among the newest of the account.
    const ofOrder = isOfOrder('$9').map(
      (has) => `
        (select ${transactionTable.columns} from transaction
         where partition = $1 and account_uid = $2 and ${has} offset 0)`,
    );
    return {
      name: 'transactions-by-order-identity',
      text: `
        select * from (${ofOrder.join(' union all ')}) as t
        where ${condition} and ($10::text is null or end_to_end_id = $10)
        order by position desc limit $8`,
      values: [...common, orderIdentity(orderId), endToEndId ?? null],
    };
  }
  if (orderId !== undefined || endToEndId !== undefined) {
    const [name, leading] =
      endToEndId === undefined ? ['order', 'order_id = $9'] : ['end-to-end-id', 'end_to_end_id = $9'];
    return {
      name: `transactions-by-${name}`,
      text: `
        select ${transactionTable.columns} from transaction
        where partition = $1 and account_uid = $2 and ${leading} and ${condition}
          and ($10::text is null or order_id = $10)
        order by position desc limit $8`,
      values: [...common, endToEndId ?? orderId, orderId ?? null],
    };
  }
  if (state === 'Scheduled') {
    // Few of an account's transactions wait: they are found by themselves.
    const waiting = (whose: string) => `
        (select ${transactionTable.columns}
         from (
           select id as waiting, position as since from scheduled_transaction
           where partition = $1 and ${whose} = $2 and waits) as s
         cross join lateral (select * from transaction where partition = $1 and id = s.waiting) as t
         where ${condition}
         order by since desc limit $8)`;
    return {
      name: 'transactions-scheduled',
      text: `
        ${waiting('account_uid')}
        union all
        ${waiting('counterparty_uid')}
        order by position desc limit $8`,
      values: common,
    };
  }
  return {
    name: 'transactions-by-account',
    text: `
      (select ${transactionTable.columns} from transaction
       where partition = $1 and account_uid = $2 and ${condition}
       order by position desc limit $8)
      union all
      (select ${transactionTable.columns} from transaction
       where partition = $1 and counterparty_uid = $2 and ${condition}
       order by position desc limit $8)
      order by position desc limit $8`,
    values: common,
  };
}
