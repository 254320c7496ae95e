import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetTransaction, Registry, type Transaction, TransactionRows } from '../../accounts/index.js';
import type { Viewer } from '../../auth/index.js';
import { EntityNotFound } from '../../platform/errors/index.js';
import type { Page } from '../../platform/http/index.js';
import { type DeliveryStatus, type DeliveryView, ListDeliveries } from '../../webhooks/index.js';
import { showFound } from '../search/found-transaction.js';
import { TransactionSearch } from '../search/transaction-search.js';

/** One transaction, for those who look at the transactions of others. What a viewer may not see does not exist for them. */
@Injectable()
export class InspectedTransactions {
  constructor(
    private readonly rows: TransactionRows,
    private readonly registry: Registry,
    private readonly search: TransactionSearch,
    private readonly queries: QueryBus,
  ) {}

  /** @throws EntityNotFound */
  async get(viewer: Viewer, id: string) {
    const { transaction, partnerUid } = await this.#visible(viewer, id);
    const [view, refunds] = await Promise.all([
      this.queries.execute(new GetTransaction(transaction.accountUid, id)),
      this.search.refundsOf(transaction),
    ]);
    return {
      ...showFound(transaction, partnerUid),
      position: transaction.position.toString(),
      orderDescription: view.transaction.orderDescription,
      stateDates: transaction.stateDates,
      payment: view.payment,
      webhook: view.webhook,
      refunds: refunds.map((refund) => showFound(refund, partnerUid)),
    };
  }

  /** Newest first. @throws EntityNotFound */
  async deliveries(
    viewer: Viewer,
    id: string,
    status: DeliveryStatus | undefined,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<DeliveryView>> {
    const { transaction } = await this.#visible(viewer, id);
    const filters = { transactionId: id, status };
    return this.queries.execute(new ListDeliveries(transaction.accountUid, filters, limit, cursor));
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
