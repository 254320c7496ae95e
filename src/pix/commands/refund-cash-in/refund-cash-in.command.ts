import { Command } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import type { Preview } from '../../../event-store/index.js';
import { TransactionSummary } from '../../../accounts/index.js';
import type { Principal } from '../../../auth/index.js';
import { type IdempotentRequest, UUID } from '../../../platform/http/index.js';
import { Homed } from '../../../platform/workers/index.js';

export class RefundSummary extends TransactionSummary {
  readonly type: 'Refund';
  @ApiProperty(UUID) readonly refundOf: string;
}

export class CreatedRefund {
  readonly transaction: RefundSummary;
}

/** The accepted refund, as it was then; the same on a replay. */
export interface AcceptedRefund extends CreatedRefund {
  readonly replayed: boolean;
}

/** A partner refunds a completed cash-in, whole or in part. */
@Homed<RefundCashIn>(({ caller }) => caller.partition)
export class RefundCashIn extends Command<AcceptedRefund> {
  constructor(
    readonly caller: Principal,
    readonly cashInId: string,
    /** Centavos, above zero; `undefined`: the rest. */
    readonly amount: bigint | undefined,
    readonly reason: string | undefined,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
    readonly preview?: Preview,
  ) {
    super();
  }
}
