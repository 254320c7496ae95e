import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetTransaction, Registry, type Transaction, TransactionRows } from '../../../accounts/index.js';
import type { Viewer } from '../../../auth/index.js';
import { partitionOf } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import type { Page } from '../../../platform/http/index.js';
import { type DeliveryStatus, FailingDeliveries, ListDeliveries } from '../../../webhooks/index.js';
import { Names } from '../../names/names.js';
import { showFound } from '../../search/found-transaction.js';
import { TransactionSearch } from '../../search/transaction-search.js';
import type { InspectedDelivery, InspectedTransaction } from './transactions.answer.js';

/** One transaction, for those who look at the transactions of others. What a viewer may not see does not exist for them. */
@Injectable()
export class InspectedTransactions {
  constructor(
    private readonly rows: TransactionRows,
    private readonly registry: Registry,
    private readonly search: TransactionSearch,
    private readonly queries: QueryBus,
    private readonly names: Names,
    private readonly failing: FailingDeliveries,
  ) {}

  /** @throws EntityNotFound */
  async get(viewer: Viewer, id: string): Promise<InspectedTransaction> {
    const { transaction, partnerUid } = await this.#visible(viewer, id);
    const [view, refunds, owners, partners] = await Promise.all([
      this.queries.execute(new GetTransaction(transaction.accountUid, id)),
      this.search.refundsOf(transaction),
      this.names.owners(partitionOf(id)!, [transaction]),
      this.names.partners([partnerUid]),
    ]);
    return {
      ...showFound(transaction, { ...owners.get(id)!, partnerName: partners.get(partnerUid) ?? null }),
      position: transaction.position.toString(),
      orderDescription: view.transaction.orderDescription,
      stateDates: transaction.stateDates,
      payment: view.payment,
      webhook: view.webhook,
      refunds,
    };
  }

  /** Newest first. @throws EntityNotFound */
  async deliveries(
    viewer: Viewer,
    id: string,
    status: DeliveryStatus | undefined,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<InspectedDelivery>> {
    const { transaction, partnerUid } = await this.#visible(viewer, id);
    const filters = { transactionId: id, status };
    const page = await this.queries.execute(new ListDeliveries(transaction.accountUid, filters, limit, cursor));
    const circuitOf = ({ url }: { url: string }) => this.failing.circuitOf({ partnerUid, url });
    return { ...page, items: page.items.map((item) => ({ ...item, circuit: circuitOf(item) })) };
  }

  async #visible(viewer: Viewer, id: string): Promise<{ transaction: Transaction; partnerUid: string }> {
    const transaction = await this.rows.find(id);
    const partnerUid = transaction && (await this.registry.facts(transaction.accountUid)).partnerUid;
    if (!transaction || (viewer.partnerUid !== null && partnerUid !== viewer.partnerUid)) {
      throw new EntityNotFound('TransactionEntity', 'id', id);
    }
    return { transaction, partnerUid: partnerUid! };
  }
}
