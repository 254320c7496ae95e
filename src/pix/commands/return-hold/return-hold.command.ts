import { Command } from '@nestjs/cqrs';
import type { Preview } from '../../../event-store/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import type { HeldReturnCode } from '../../domain/events/shared.js';
import type { AcceptedRefund } from '../refund-cash-in/refund-cash-in.command.js';

/** The operator sends blocked money of a deposit back to its payer. */
export class ReturnHold extends Command<AcceptedRefund> {
  constructor(
    readonly accountUid: string,
    readonly holdId: string,
    /** Centavos, above zero; `undefined`: what is blocked. */
    readonly amount: bigint | undefined,
    readonly code: HeldReturnCode,
    readonly actor: string,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
    readonly preview?: Preview,
  ) {
    super();
  }
}
