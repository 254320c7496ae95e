import { ApiProperty } from '@nestjs/swagger';
import { describeNotification, type Notification } from '../../../accounts/index.js';
import { AMOUNT, UUID } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { RecoveryAccepted, RecoveryRefused } from '../../domain/recovery.events.js';

/**
 * What partners are told of a recovery; its money comes as refunds of the payout, which have notifications of their
 * own.
 */
export class RecoveryNotification {
  @ApiProperty(UUID) readonly id: string;
  @ApiProperty(UUID) readonly accountUid: string;
  /** The payout */
  @ApiProperty(UUID) readonly transactionId: string;
  /** What the payee's institution agreed to */
  @ApiProperty({ ...AMOUNT, required: false }) readonly amount?: string;
  /** Why it was refused */
  @ApiProperty({ type: 'string', required: false }) readonly refusalCode?: string;
}

export const RECOVERY_CHANGES = ['recovery.accepted', 'recovery.refused'] as const;

describeNotification(RecoveryAccepted, ({ data }) =>
  told('recovery.accepted', data, { amount: formatAmount(BigInt(data.amount)) }),
);
describeNotification(RecoveryRefused, ({ data }) => told('recovery.refused', data, { refusalCode: data.code }));

function told(
  type: (typeof RECOVERY_CHANGES)[number],
  { id, accountUid, transactionId }: Pick<RecoveryNotification, 'id' | 'accountUid' | 'transactionId'>,
  ending: Pick<RecoveryNotification, 'amount' | 'refusalCode'>,
): Notification {
  const data: RecoveryNotification = { id, accountUid, transactionId, ...ending };
  return { type, accountUid, subjectId: id, data };
}
