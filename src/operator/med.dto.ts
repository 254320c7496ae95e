import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsAmountAboveZero, IsOneOf, IsText } from '../platform/http/index.js';

const DECISIONS = ['Agreed', 'Rejected'] as const;

export class DecisionDto {
  @ApiProperty({ enum: DECISIONS, enumName: 'InfractionResult', example: 'Agreed' })
  @IsOneOf(DECISIONS)
  decision: (typeof DECISIONS)[number];

  @ApiProperty({ example: '100.00', description: 'What goes back, where it is less than what is asked for' })
  @IsOptional()
  @IsAmountAboveZero('AmountMustBeGreaterThanZero')
  amount?: string;

  /** For the history; the partner does not see it. */
  @ApiProperty({ example: 'The receipt is signed by somebody else.' })
  @IsOptional()
  @IsText({ maximum: 500 })
  note?: string;
}
