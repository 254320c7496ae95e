import { Command } from '@nestjs/cqrs';
import type { Preview } from '../../../event-store/index.js';
import type { Principal } from '../../../auth/index.js';
import type { AppError } from '../../../platform/errors/index.js';
import type { BatchMode, IdempotentRequest } from '../../../platform/http/index.js';
import type { AcceptedTransfer, TransferOrder } from '../transfer-append.js';
import { Homed } from '../../../platform/workers/index.js';

export interface KeyedTransfer extends TransferOrder {
  readonly idempotency: IdempotentRequest;
}

/** Several transfers, in their order; of atomic ones all or none. Each one's result, or why it was refused. */
@Homed<RequestTransfers>(({ caller }) => caller.partition, 'always')
export class RequestTransfers extends Command<readonly (AcceptedTransfer | AppError)[]> {
  constructor(
    readonly caller: Principal,
    readonly mode: BatchMode,
    /** At least one. */
    readonly transfers: readonly KeyedTransfer[],
    readonly requestId: string,
    /** Of the whole. */
    readonly idempotency: IdempotentRequest | undefined,
    readonly preview?: Preview,
  ) {
    super();
  }
}
