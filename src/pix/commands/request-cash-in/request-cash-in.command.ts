import { Command } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import type { Preview } from '../../../event-store/index.js';
import type { TransactionSummary } from '../../../accounts/index.js';
import type { Principal } from '../../../auth/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import type { RequestedCashIn } from './cash-in.body.js';
import { Homed } from '../../../platform/workers/index.js';

export class CreatedCharge {
  /** The copy-and-paste code */
  readonly qrCode: string;
  /** Address of its image */
  @ApiProperty({ format: 'uri' }) readonly qrCodeLocation: string;
}

export class CreatedCashIn {
  readonly transaction: TransactionSummary;
  readonly payment: CreatedCharge;
}

/** The accepted cash-in, as it was then; the same on a replay. */
export interface AcceptedCashIn extends CreatedCashIn {
  readonly replayed: boolean;
}

@Homed<RequestCashIn>(({ caller }) => caller.partition)
export class RequestCashIn extends Command<AcceptedCashIn> {
  constructor(
    readonly caller: Principal,
    readonly cashIn: RequestedCashIn,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
    readonly preview?: Preview,
  ) {
    super();
  }
}
