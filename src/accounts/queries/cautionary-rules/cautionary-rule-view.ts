import { ApiProperty } from '@nestjs/swagger';
import { AMOUNT, UUID, WHOLE } from '../../../platform/http/index.js';
import { formatAmount } from '../../../platform/money.js';
import type { CautionaryRule } from '../../domain/cautionary-rule.js';

export class TimeOfDayView {
  @ApiProperty({ example: '22:00' }) readonly from: string;
  @ApiProperty({ example: '06:00' }) readonly to: string;
}

/** A rule by which deposits arrive as blocked: all conditions that it has must hold. */
export class CautionaryRuleView {
  @ApiProperty(UUID) readonly id: string;
  readonly name: string;
  @ApiProperty({ ...AMOUNT, nullable: true }) readonly amountAbove: string | null;
  /** The payer has not paid to the account before */
  readonly payerUnknown: boolean;
  /** ISPB of the payer's institution */
  readonly payerInstitution: string | null;
  /** America/Sao_Paulo */
  readonly timeOfDay: TimeOfDayView | null;
  /** For accounts of companies too */
  readonly companies: boolean;
  /** How long the money is blocked at most */
  @ApiProperty(WHOLE) readonly hours: number;
}

export function showCautionaryRule({ amountAbove, ...rule }: CautionaryRule): CautionaryRuleView {
  return { ...rule, amountAbove: amountAbove && formatAmount(BigInt(amountAbove)) };
}

export const CAUTIONARY_RULE_EXAMPLE: CautionaryRuleView = {
  id: '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e',
  name: 'Large, from somebody new',
  amountAbove: '1000.00',
  payerUnknown: true,
  payerInstitution: null,
  timeOfDay: null,
  companies: false,
  hours: 72,
};
