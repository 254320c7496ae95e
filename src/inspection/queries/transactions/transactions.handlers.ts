import { type IQueryHandler, QueryBus, QueryHandler } from '@nestjs/cqrs';
import { GetTransaction } from '../../../accounts/index.js';
import { partitionOf } from '../../../event-store/index.js';
import type { Page } from '../../../platform/http/index.js';
import { BACK_OFFICE, FailingDeliveries, ListDeliveries } from '../../../webhooks/index.js';
import { Names } from '../../names/names.js';
import { showFound } from '../../search/found-transaction.js';
import type { SearchPage } from '../../search/search.answer.js';
import { TransactionSearch } from '../../search/transaction-search.js';
import type { InspectedDelivery, InspectedTransaction } from './transactions.answer.js';
import { InspectDeliveries, InspectTransaction, SearchTransactions } from './transactions.query.js';
import { VisibleTransactions } from './visible-transactions.js';

@QueryHandler(SearchTransactions)
export class SearchTransactionsHandler implements IQueryHandler<SearchTransactions> {
  constructor(private readonly search: TransactionSearch) {}

  /** @throws ValidationError for a cursor of another search */
  async execute({ viewer, filters, limit, cursor }: SearchTransactions): Promise<SearchPage> {
    return this.search.find(viewer, filters, limit, cursor);
  }
}

@QueryHandler(InspectTransaction)
export class InspectTransactionHandler implements IQueryHandler<InspectTransaction> {
  constructor(
    private readonly transactions: VisibleTransactions,
    private readonly search: TransactionSearch,
    private readonly queries: QueryBus,
    private readonly names: Names,
  ) {}

  /** @throws EntityNotFound */
  async execute({ viewer, id }: InspectTransaction): Promise<InspectedTransaction> {
    const { transaction, partnerUid } = await this.transactions.get(viewer, id);
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
}

@QueryHandler(InspectDeliveries)
export class InspectDeliveriesHandler implements IQueryHandler<InspectDeliveries> {
  constructor(
    private readonly transactions: VisibleTransactions,
    private readonly queries: QueryBus,
    private readonly failing: FailingDeliveries,
  ) {}

  /** @throws EntityNotFound */
  async execute({ viewer, id, status, limit, cursor }: InspectDeliveries): Promise<Page<InspectedDelivery>> {
    const { transaction, partnerUid } = await this.transactions.get(viewer, id);
    const filters = { transactionId: id, status };
    const page = await this.queries.execute(
      new ListDeliveries(BACK_OFFICE, transaction.accountUid, filters, limit, cursor),
    );
    const circuitOf = ({ url }: { url: string }) => this.failing.circuitOf({ partnerUid, url });
    return { ...page, items: page.items.map((item) => ({ ...item, circuit: circuitOf(item) })) };
  }
}
