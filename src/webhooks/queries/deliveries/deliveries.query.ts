import { Query } from '@nestjs/cqrs';
import type { Page } from '../../../platform/http/index.js';
import type { Attempt, DeliveryStatus } from '../../domain/delivery.js';

/** A line of the delivery log, decisions 5. */
export interface DeliveryView {
  readonly id: string;
  /** `null` for a test. */
  readonly transactionId: string | null;
  readonly transactionState: string;
  readonly url: string;
  readonly status: DeliveryStatus;
  /** `null` when there is none, or while it waits for the one before it. */
  readonly nextAttemptAt: string | null;
  /** Oldest first. */
  readonly attempts: readonly Attempt[];
}

export interface DeliveryFilters {
  readonly transactionId?: string;
  readonly status?: DeliveryStatus;
}

/** An account's deliveries, newest first. */
export class ListDeliveries extends Query<Page<DeliveryView>> {
  constructor(
    readonly accountUid: string,
    readonly filters: DeliveryFilters,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}
