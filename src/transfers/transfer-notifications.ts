import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { describeNotification } from '../accounts/index.js';
import type { RecordedEvent } from '../event-store/index.js';
import { AMOUNT, UUID } from '../platform/http/index.js';
import { formatAmount } from '../platform/money.js';
import { TransferRefused, TransferSettled } from './domain/transfer.events.js';

/** What the sender's account is told of a scheduled transfer, when its time has come. */
export class TransferNotification {
  /** The transfer */
  @ApiProperty(UUID) readonly id: string;
  /** The account that sends it */
  @ApiProperty(UUID) readonly accountUid: string;
  @ApiProperty(UUID) readonly refAccountCredit: string;
  @ApiProperty(AMOUNT) readonly amount: string;
  @ApiPropertyOptional({ description: 'Of `transfer.refused`' }) readonly errorReason?: string;
}

export const TRANSFER_ENDS = ['transfer.settled', 'transfer.refused'] as const;

type Ended = {
  readonly id: string;
  readonly sourceUid: string;
  readonly destinationUid: string;
  readonly amount: string;
  readonly reason?: string;
};

// A transfer that was not scheduled is settled by the first event of its stream: its answer has told of it.
describeNotification(TransferSettled, (event) => (event.version > 1 ? told('transfer.settled', event) : undefined));
describeNotification(TransferRefused, (event) => told('transfer.refused', event));

function told(type: (typeof TRANSFER_ENDS)[number], { data: ended }: RecordedEvent<string, Ended>) {
  const { id, sourceUid: accountUid, destinationUid: refAccountCredit, reason } = ended;
  const amount = formatAmount(BigInt(ended.amount));
  const data: TransferNotification = {
    id,
    accountUid,
    refAccountCredit,
    amount,
    ...(reason && { errorReason: reason }),
  };
  return { type, accountUid, subjectId: id, data };
}
