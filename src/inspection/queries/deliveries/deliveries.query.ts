import { Query } from '@nestjs/cqrs';
import type { DeliverySearch } from '../../../webhooks/index.js';
import type { FailingDeliveryPage, FailingDeliveryView } from './deliveries.answer.js';

/** Deliveries of all accounts, newest first, with their hosts. */
export class ListFailingDeliveries extends Query<FailingDeliveryPage> {
  constructor(
    readonly filters: DeliverySearch,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

/** One delivery, of any account. */
export class ReadDelivery extends Query<FailingDeliveryView> {
  constructor(readonly id: string) {
    super();
  }
}
