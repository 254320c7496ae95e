import { ApiProperty } from '@nestjs/swagger';
import { describeNotification } from '../../../accounts/index.js';
import { AMOUNT, UUID, WHOLE } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import { PayoutFileCompleted } from '../../domain/payout-file.events.js';

/** What partners are told of the end of a file: of every line, whether it was registered, refused or cancelled. */
export class PayoutFileNotification {
  @ApiProperty(UUID) readonly accountUid: string;
  @ApiProperty(UUID) readonly id: string;
  @ApiProperty({ enum: ['Completed', 'Cancelled'] }) readonly state: 'Completed' | 'Cancelled';
  @ApiProperty(WHOLE) readonly lines: number;
  @ApiProperty(WHOLE) readonly registered: number;
  @ApiProperty(AMOUNT) readonly registeredAmount: string;
  @ApiProperty(WHOLE) readonly refused: number;
  @ApiProperty(AMOUNT) readonly refusedAmount: string;
  @ApiProperty(WHOLE) readonly cancelled: number;
}

describeNotification(PayoutFileCompleted, ({ data: file }) => {
  const { id, accountUid, state, lines, registered, refused } = file;
  const data: PayoutFileNotification = {
    accountUid,
    id,
    state,
    lines,
    registered,
    registeredAmount: formatAmount(BigInt(file.registeredAmount)),
    refused,
    refusedAmount: formatAmount(BigInt(file.refusedAmount)),
    cancelled: lines - registered - refused,
  };
  return { type: 'payout-file.completed', accountUid, subjectId: id, data };
});
