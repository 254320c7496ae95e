import { Command } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import type { TransactionSummary } from '../../../accounts/index.js';
import type { Principal } from '../../../auth/index.js';
import type { IdempotentRequest } from '../../../platform/http/index.js';
import type { RequestedCashOut } from './cash-out.body.js';

export class UncheckedKey {
  @ApiProperty({ enum: [false] }) readonly keyChecked: false;
}

export class CreatedCashOut {
  readonly transaction: TransactionSummary;

  /** Only of a key with an account where the rail could not compare the two: the account is paid */
  readonly payment?: UncheckedKey;
}

/** What was accepted: as it stood then, on a replay too. */
export interface AcceptedCashOut extends CreatedCashOut {
  readonly replayed: boolean;
}

export class RequestCashOut extends Command<AcceptedCashOut> {
  constructor(
    readonly caller: Principal,
    readonly cashOut: RequestedCashOut,
    readonly requestId: string,
    readonly idempotency: IdempotentRequest | undefined,
  ) {
    super();
  }
}
