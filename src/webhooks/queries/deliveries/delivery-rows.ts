import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Column, Entity, In, LessThan, PrimaryColumn, type Repository } from 'typeorm';
import { type Transaction, TransactionRows, type TransactionState } from '../../../accounts/index.js';
import { partitionOf, type Statement } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { type Attempt, chainOfTransaction, type DeliveryStatus } from '../../domain/delivery.js';
import type { DeliveryFilters } from './deliveries.query.js';

/** The fields of a delivery that partners read. The saga and the sender write them, by SQL. */
@Entity('webhook_delivery')
export class DeliveryRow {
  @PrimaryColumn('int') partition: number;
  @PrimaryColumn('uuid') id: string;
  @Column('bigint') position: string;
  @Column('uuid') accountUid: string;
  @Column('uuid') partnerUid: string;
  /** `null` for a test, and for a notification of an account. */
  @Column('uuid') transactionId: string | null;
  /** `null` for a notification of an account. */
  @Column('text') transactionState: TransactionState | null;
  /** `null` for others than a notification of an account. */
  @Column('text') type: string | null;
  @Column() url: string;
  @Column('text') status: DeliveryStatus;
  @Column('timestamptz') dueAt: Date | null;
  @Column('json') attempts: Attempt[];
  @Column('int') attemptsMade: number;
}

/** What a page is made by. */
export type DeliveryHead = Pick<DeliveryRow, 'id' | 'position' | 'attemptsMade'>;

/** Reads deliveries for partners. Every list uses an index, whatever the length of the history. */
@Injectable()
export class DeliveryRows {
  constructor(
    @InjectRepository(DeliveryRow) private readonly deliveries: Repository<DeliveryRow>,
    private readonly database: Database,
    private readonly transactions: TransactionRows,
  ) {}

  /** The owner of a delivery; `null` for an unknown one. */
  owner(partition: number, id: string): Promise<Pick<DeliveryRow, 'accountUid' | 'partnerUid'> | null> {
    return this.deliveries.findOne({ where: { partition, id }, select: { accountUid: true, partnerUid: true } });
  }

  /** Deliveries of an account before a position, newest first. @param reader whose turn it is */
  async heads(
    reader: string,
    accountUid: string,
    filters: DeliveryFilters,
    before: string | null,
    limit: number,
  ): Promise<DeliveryHead[]> {
    const partition = partitionOf(accountUid)!;
    const { transactionId, status } = filters;
    // An identifier of another partition, or of none, has no deliveries here.
    if (transactionId !== undefined && partitionOf(transactionId) !== partition) return [];
    const rows = this.deliveries
      .createQueryBuilder('d')
      .select(['d.id', 'd.position', 'd.attemptsMade'])
      .where({ partition, accountUid, ...(before !== null && { position: LessThan(before) }) })
      .orderBy('d.position', 'DESC')
      .limit(limit);
    if (transactionId !== undefined) {
      const transaction = await this.transactions.find(transactionId);
      if (!transaction) return [];
      rows.andWhere({ transactionId }).andWhere('d.chain = :chain', { chain: chainOfTransaction(transaction) });
    }
    if (status === undefined) return rows.getMany();
    rows.andWhere({ status });
    // As in the predicate of the partial index.
    if (status !== 'Delivered') rows.andWhere(`d.status <> 'Delivered'`);
    // Of an account's whole history, none may have it.
    return this.database.inTurn(reader, () => rows.getMany());
  }

  /** Deliveries of an account, newest first, each as it is now. */
  async whole(accountUid: string, ids: readonly string[]): Promise<DeliveryRow[]> {
    if (ids.length === 0) return [];
    const where = { partition: partitionOf(accountUid)!, id: In(ids) };
    return this.deliveries.find({ where, order: { position: 'DESC' } });
  }

  /** Status of the newest delivery of each of the transactions that has any. */
  async statuses(partition: number, transactions: readonly Transaction[]): Promise<Map<string, string>> {
    const rows = await this.database.lookUp<{ id: string; status: string }>(newestStatuses(partition, transactions));
    return new Map(rows.map(({ id, status }) => [id, status]));
  }
}

/** Each one's newest by its key: a chain is as long as a deposit has refunds, and other requests' reads wait behind. */
export function newestStatuses(partition: number, transactions: readonly Transaction[]): Statement {
  return {
    name: 'webhook-statuses',
    text: `
      select n.id, d.status
      from unnest($2::uuid[], $3::uuid[]) as n (id, chain)
      cross join lateral (
        select status from webhook_delivery
        where partition = $1 and chain = n.chain and transaction_id = n.id
        order by position desc limit 1) as d`,
    values: [partition, transactions.map(({ id }) => id), transactions.map(chainOfTransaction)],
  };
}
