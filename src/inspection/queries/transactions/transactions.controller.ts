import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { TRANSACTION_EXAMPLE } from '../../../accounts/index.js';
import { AuditorRoute } from '../../../audit/index.js';
import { CallingViewer, OperatorRoute, type Viewer } from '../../../auth/index.js';
import { Answers, done, ValidQuery } from '../../../platform/http/index.js';
import { CIRCUIT_EXAMPLE, DELIVERY_PAGE, TransactionDeliveriesQuery } from '../../../webhooks/index.js';
import { FOUND_EXAMPLE } from '../../search/found-transaction.js';
import { SearchPage } from '../../search/search.answer.js';
import { SearchQuery, toFilters } from '../../search/search-filters.js';
import { InspectedDelivery, InspectedTransaction } from './transactions.answer.js';
import { InspectDeliveries, InspectTransaction, SearchTransactions } from './transactions.query.js';

const DETAIL = {
  ...FOUND_EXAMPLE,
  position: '8',
  orderDescription: TRANSACTION_EXAMPLE.transaction.orderDescription,
  stateDates: TRANSACTION_EXAMPLE.transaction.stateDates,
  payment: TRANSACTION_EXAMPLE.payment,
  webhook: TRANSACTION_EXAMPLE.webhook,
  refunds: [FOUND_EXAMPLE],
};
const DELIVERIES = done({
  ...DELIVERY_PAGE.data,
  items: DELIVERY_PAGE.data.items.map((item) => ({ ...item, circuit: CIRCUIT_EXAMPLE })),
});

/** Back-office reads of transactions: the same answers under `/admin` and `/audit`. */
abstract class InspectTransactionsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: 'Search transactions, newest first',
    description:
      'Follows the log, normally within a second. A page may be short, or empty, and still have a next one: a request examines a bounded number of rows. `partitionsAway`: partitions that did not answer; this page and the next lack their transactions.',
    answer: SearchPage,
    example: done({ items: [FOUND_EXAMPLE], nextCursor: null, partitionsAway: [] }),
  })
  async searchTransactions(@CallingViewer() viewer: Viewer, @ValidQuery(SearchQuery) query: SearchQuery) {
    const { limit, cursor } = query;
    return done(await this.queries.execute(new SearchTransactions(viewer, toFilters(query), limit, cursor)));
  }

  @Get(':id')
  @Answers({
    summary: 'One transaction, with its refunds',
    answer: InspectedTransaction,
    example: done(DETAIL),
    errors: [404],
  })
  async inspectTransaction(@CallingViewer() viewer: Viewer, @Param('id') id: string) {
    return done(await this.queries.execute(new InspectTransaction(viewer, id)));
  }

  @Get(':id/deliveries')
  @Answers({
    summary: 'The deliveries of a transaction, newest first, each with its attempts',
    answer: InspectedDelivery,
    list: true,
    example: DELIVERIES,
    errors: [404],
  })
  async listDeliveriesOfTransaction(
    @CallingViewer() viewer: Viewer,
    @Param('id') id: string,
    @ValidQuery(TransactionDeliveriesQuery) { status, limit, cursor }: TransactionDeliveriesQuery,
  ) {
    return done(await this.queries.execute(new InspectDeliveries(viewer, id, status, limit, cursor)));
  }
}

@ApiTags('Operator')
@Controller('admin/transactions')
@OperatorRoute()
export class OperatorTransactionsController extends InspectTransactionsController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}

@ApiTags('Audit')
@Controller('audit/transactions')
@AuditorRoute()
export class AuditTransactionsController extends InspectTransactionsController {
  constructor(queries: QueryBus) {
    super(queries);
  }
}
