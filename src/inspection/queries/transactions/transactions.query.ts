import { Query } from '@nestjs/cqrs';
import type { Viewer } from '../../../auth/index.js';
import type { Page } from '../../../platform/http/index.js';
import type { DeliveryStatus } from '../../../webhooks/index.js';
import type { SearchPage } from '../../search/search.answer.js';
import type { SearchFilters } from '../../search/search-filters.js';
import type { InspectedDelivery, InspectedTransaction } from './transactions.answer.js';

/** Transactions by filters, newest first. */
export class SearchTransactions extends Query<SearchPage> {
  constructor(
    readonly viewer: Viewer,
    readonly filters: SearchFilters,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

/** One transaction, with its refunds. */
export class InspectTransaction extends Query<InspectedTransaction> {
  constructor(
    readonly viewer: Viewer,
    readonly id: string,
  ) {
    super();
  }
}

/** The deliveries of a transaction, newest first. */
export class InspectDeliveries extends Query<Page<InspectedDelivery>> {
  constructor(
    readonly viewer: Viewer,
    readonly id: string,
    readonly status: DeliveryStatus | undefined,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}
