import {
  DEFAULT_LIMIT,
  done,
  type Envelope,
  IsChoice,
  IsCursor,
  IsIdFilter,
  IsLimit,
  type Page,
} from '../../../platform/http/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../domain/delivery.js';
import type { DeliveryView } from './deliveries.query.js';

const IsStatus = () => IsChoice('Deliveries in one status', DELIVERY_STATUSES);

export class DeliveriesQuery {
  @IsIdFilter('Deliveries of one transaction') transactionId?: string;
  @IsStatus() status?: DeliveryStatus;
  @IsLimit() limit = DEFAULT_LIMIT;
  @IsCursor() cursor?: string;
}

export class TransactionDeliveriesQuery {
  @IsStatus() status?: DeliveryStatus;
  @IsLimit() limit = DEFAULT_LIMIT;
  @IsCursor() cursor?: string;
}

/** Example of a page, for the documents. */
export const DELIVERY_PAGE: Envelope<Page<DeliveryView>> = done({
  items: [
    {
      id: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
      transactionId: '0199d1f0-7c3b-7001-8b1c-0d2e4f6a8c9b',
      transactionState: 'Completed',
      type: null,
      url: 'https://partner.example/webhooks/pix',
      status: 'Retrying',
      nextAttemptAt: '2026-11-20T14:09:05.123Z',
      attempts: [
        { number: 1, startedAt: '2026-11-20T14:04:05.123Z', durationMs: 31, httpStatus: 500, error: null },
        { number: 2, startedAt: '2026-11-20T14:04:10.201Z', durationMs: 15000, httpStatus: null, error: 'Timeout' },
      ],
    },
  ],
  nextCursor: null,
});
