import { Command } from '@nestjs/cqrs';
import { partitionOf, type Preview } from '../../../event-store/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import type { ExecutionDestination } from '../../domain/hold.events.js';
import type { HoldMovement } from '../release-hold/release-hold.command.js';
import { Homed } from '../../../platform/workers/index.js';

/** Money of a hold leaves the account for what its order says. */
@Homed<ExecuteHold>(({ uid }) => partitionOf(uid))
export class ExecuteHold extends Command<HoldMovement> {
  constructor(
    readonly uid: string,
    readonly id: string,
    /** Centavos, above zero. */
    readonly amount: bigint,
    readonly destination: ExecutionDestination,
    readonly actor: string,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
    readonly preview?: Preview,
  ) {
    super();
  }
}
