import { ApiProperty } from '@nestjs/swagger';
import { HOLD_CHANGES, HoldNotification } from '../../accounts/index.js';
import { INFRACTION_CHANGES, InfractionNotification, RECOVERY_CHANGES, RecoveryNotification } from '../../med/index.js';
import { PayoutFileNotification } from '../../payout-files/index.js';
import { TRANSFER_ENDS, TransferNotification } from '../../transfers/index.js';
import { MOMENT, signedMessage } from '../../platform/http/index.js';

/** What accounts are told, for the OpenAPI document. What describes a notification adds its message here. */

export class HoldChangedDto {
  @ApiProperty({ enum: HOLD_CHANGES }) readonly type: (typeof HOLD_CHANGES)[number];
  /** When it happened */
  @ApiProperty(MOMENT) readonly timestamp: string;
  readonly data: HoldNotification;
}

export class InfractionChangedDto {
  @ApiProperty({ enum: INFRACTION_CHANGES }) readonly type: (typeof INFRACTION_CHANGES)[number];
  /** When it happened */
  @ApiProperty(MOMENT) readonly timestamp: string;
  readonly data: InfractionNotification;
}

export class RecoveryChangedDto {
  @ApiProperty({ enum: RECOVERY_CHANGES }) readonly type: (typeof RECOVERY_CHANGES)[number];
  /** When it happened */
  @ApiProperty(MOMENT) readonly timestamp: string;
  readonly data: RecoveryNotification;
}

export class TransferEndedDto {
  @ApiProperty({ enum: TRANSFER_ENDS }) readonly type: (typeof TRANSFER_ENDS)[number];
  /** When it happened */
  @ApiProperty(MOMENT) readonly timestamp: string;
  readonly data: TransferNotification;
}

export class PayoutFileCompletedDto {
  @ApiProperty({ enum: ['payout-file.completed'] }) readonly type: 'payout-file.completed';
  /** When it happened */
  @ApiProperty(MOMENT) readonly timestamp: string;
  readonly data: PayoutFileNotification;
}

const MESSAGES = {
  holdChanged: signedMessage(
    HoldChangedDto,
    'Money of an account was blocked by a hold, or a hold changed',
    'One delivery a step, in order within a hold',
  ),
  infractionChanged: signedMessage(
    InfractionChangedDto,
    'The payer of a deposit reports it as fraud (MED), or a report changed',
    'One delivery a step, in order within a report',
  ),
  recoveryChanged: signedMessage(RecoveryChangedDto, 'A recovery of a payout has ended', 'One delivery'),
  transferEnded: signedMessage(
    TransferEndedDto,
    'The time of a scheduled transfer came: it was made, or refused',
    'One delivery a transfer',
  ),
  payoutFileCompleted: signedMessage(
    PayoutFileCompletedDto,
    'Nothing more of a payout file is requested',
    'One delivery a file',
  ),
};

/** The callbacks of the route that registers an address. */
export const NOTIFIES_ACCOUNT = {
  models: [HoldChangedDto, InfractionChangedDto, RecoveryChangedDto, TransferEndedDto, PayoutFileCompletedDto],
  callbacks: Object.fromEntries(
    Object.entries(MESSAGES).map(([callback, message]) => [callback, { '{$request.body#/url}': message }]),
  ),
};
