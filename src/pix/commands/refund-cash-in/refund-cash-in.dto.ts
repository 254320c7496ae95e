import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsAmountAboveZero, IsText } from '../../../platform/http/index.js';

/** Decisions 5. */
export class RefundCashInDto {
  @ApiProperty({ example: '5.00', description: 'What is left of the deposit, when absent' })
  @IsOptional()
  @IsAmountAboveZero('PaymentValueMustBeGreaterThanZero')
  amount?: string;

  @ApiProperty({ example: 'Returned goods', description: 'At most 140 characters' })
  @IsOptional()
  @IsText({ maximum: 140 })
  reason?: string;
}
