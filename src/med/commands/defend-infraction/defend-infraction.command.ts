import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import type { Defence } from '../../domain/infraction.events.js';

/** A partner defends a deposit that is contested. */
export class DefendInfraction extends Command<{ readonly replayed: boolean }> {
  constructor(
    readonly caller: Principal,
    readonly id: string,
    readonly defence: Defence,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
  ) {
    super();
  }
}
