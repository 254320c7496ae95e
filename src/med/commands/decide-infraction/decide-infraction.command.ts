import { Command } from '@nestjs/cqrs';
import type { Preview } from '../../../event-store/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';

export interface OperatorDecision {
  readonly result: 'Agreed' | 'Rejected';
  /** Centavos; absent: all that is asked for. */
  readonly amount?: bigint;
  readonly note?: string;
}

/** An operator decides about a report. */
export class DecideInfraction extends Command<{ readonly replayed: boolean }> {
  constructor(
    readonly id: string,
    readonly decision: OperatorDecision,
    readonly actor: string,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
    readonly preview?: Preview,
  ) {
    super();
  }
}
