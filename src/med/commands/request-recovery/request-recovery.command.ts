import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';
import type { FraudReason } from '../../../pix/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import { Homed } from '../../../platform/workers/index.js';

/** A partner asks for the money of a payout. @returns the recovery's id */
@Homed<RequestRecovery>(({ caller }) => caller.partition)
export class RequestRecovery extends Command<{ readonly id: string; readonly replayed: boolean }> {
  constructor(
    readonly caller: Principal,
    readonly payoutId: string,
    readonly reason: FraudReason,
    readonly details: string,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
  ) {
    super();
  }
}
