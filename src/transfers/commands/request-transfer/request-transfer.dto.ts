import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsRetryUntil, IsScheduledFor } from '../../../accounts/index.js';
import { IsAmountAboveZero, IsIdentifier, IsText } from '../../../platform/http/index.js';

/** Contract 2.2. */
export class RequestTransferDto {
  @ApiProperty({
    example: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
    description: 'UID of the destination account, from the list of accounts',
  })
  @IsIdentifier()
  refAccountCredit: string;

  @ApiProperty({ example: '10.50', description: 'Amount, with a dot and at most two decimals' })
  @IsAmountAboveZero('TransferAmountMustBeGreaterThanZero')
  transferAmount: string;

  @ApiProperty({ example: 'Rent', description: 'Free description, at most 140 characters' })
  @IsOptional()
  @IsText({ maximum: 140 })
  transferDescription?: string;

  @IsScheduledFor()
  scheduledFor?: string;

  @IsRetryUntil()
  retryUntil?: string;
}
