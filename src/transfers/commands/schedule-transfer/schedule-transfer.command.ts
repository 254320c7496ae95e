import { Command } from '@nestjs/cqrs';
import type { LaterTerms } from '../../../accounts/index.js';
import type { Principal } from '../../../auth/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import type { RequestedTransfer } from '../../scheduled-transfers.js';

export interface ScheduledTransfer {
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly scheduledFor: string;
  readonly retryUntil?: string;
  readonly replayed: boolean;
}

export class ScheduleTransfer extends Command<ScheduledTransfer> {
  constructor(
    readonly caller: Principal,
    readonly transfer: RequestedTransfer,
    readonly terms: LaterTerms,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
  ) {
    super();
  }
}
