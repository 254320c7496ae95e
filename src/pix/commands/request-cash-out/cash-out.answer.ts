import { ApiProperty } from '@nestjs/swagger';
import type { TransactionSummary } from '../../../accounts/index.js';
import { incomplete, MOMENT } from '../../../platform/http/index.js';

export class UncheckedKey {
  @ApiProperty({ enum: [false] }) readonly keyChecked: false;
}

export class CreatedCashOut {
  readonly transaction: TransactionSummary;

  /** Of a payout that is scheduled, as the next one */
  @ApiProperty(MOMENT) readonly scheduledFor?: string;
  @ApiProperty(MOMENT) readonly retryUntil?: string;

  /** Only of a key with an account where the rail could not compare the two: the account is paid */
  readonly payment?: UncheckedKey;
}

/** The accepted cash-out, as it was then; the same on a replay. */
export interface AcceptedCashOut extends CreatedCashOut {
  readonly replayed: boolean;
}

export function showCashOut({ replayed: _, ...created }: AcceptedCashOut) {
  return incomplete(created);
}
