import { Command } from '@nestjs/cqrs';
import type { LaterTerms } from '../../../accounts/index.js';
import type { Preview } from '../../../event-store/index.js';
import type { Principal } from '../../../auth/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import type { AcceptedTransfer } from '../transfer-append.js';
import { Homed } from '../../../platform/workers/index.js';

@Homed<RequestTransfer>(({ caller }) => caller.partition)
export class RequestTransfer extends Command<AcceptedTransfer> {
  constructor(
    readonly caller: Principal,
    readonly destinationUid: string,
    /** Centavos, above zero. */
    readonly amount: bigint,
    readonly description: string | undefined,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
    readonly preview?: Preview,
    readonly later?: LaterTerms,
  ) {
    super();
  }
}
