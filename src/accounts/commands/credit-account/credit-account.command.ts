import { Command } from '@nestjs/cqrs';
import { partitionOf, type Preview } from '../../../event-store/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import { Homed } from '../../../platform/workers/index.js';

export interface Credit {
  readonly id: string;
  readonly uid: string;
  /** Centavos. */
  readonly amount: bigint;
  readonly date: Date;
  readonly replayed: boolean;
}

@Homed<CreditAccount>(({ uid }) => partitionOf(uid))
export class CreditAccount extends Command<Credit> {
  constructor(
    readonly uid: string,
    /** Centavos, above zero. */
    readonly amount: bigint,
    readonly reason: string,
    readonly actor: string,
    readonly requestId?: string,
    readonly idempotency?: IdempotentRequest,
    readonly preview?: Preview,
  ) {
    super();
  }
}
