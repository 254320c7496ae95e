import { ApiProperty } from '@nestjs/swagger';
import { FRAUD_REASONS, type FraudReason } from '../../../pix/index.js';
import { IsOneOf, IsText } from '../../../platform/http/index.js';

export class RecoveryDto {
  @ApiProperty({ enum: FRAUD_REASONS, enumName: 'FraudReason', example: 'Scam' })
  @IsOneOf(FRAUD_REASONS)
  reason: FraudReason;

  @ApiProperty({ example: 'The supplier never existed; the police report is 123/2026.' })
  @IsText({ minimum: 1, maximum: 2_000 })
  details: string;
}
