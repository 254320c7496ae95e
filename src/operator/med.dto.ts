import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsAmountAboveZero, IsOneOf, IsText, rule } from '../platform/http/index.js';

const DECISIONS = ['Agreed', 'Rejected'] as const;

/** One of the two would be a slip, and what a rejection releases can be spent at once. */
const IsOfAgreement = () =>
  rule('isOfAgreement', (_amount, { decision }) =>
    decision === 'Rejected' ? { code: 'MutuallyExclusive', message: 'must be absent beside Rejected' } : undefined,
  );

export class DecisionDto {
  @ApiProperty({ enum: DECISIONS, enumName: 'InfractionResult', example: 'Agreed' })
  @IsOneOf(DECISIONS)
  decision: (typeof DECISIONS)[number];

  @ApiProperty({ example: '100.00', description: 'When agreed: what goes back, where it is less than asked' })
  @IsOptional()
  @IsOfAgreement()
  @IsAmountAboveZero('AmountMustBeGreaterThanZero')
  amount?: string;

  /** For the history; the partner does not see it. */
  @ApiProperty({ example: 'The receipt is signed by somebody else.' })
  @IsOptional()
  @IsText({ maximum: 500 })
  note?: string;
}
