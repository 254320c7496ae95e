import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { type CautionaryRule, MAX_CAUTIONARY_HOURS } from '../accounts/index.js';
import { IsAmountNotNegative, IsNested, IsText, IsTrueOrFalse, IsWhole, rule } from '../platform/http/index.js';
import { parseIspb } from '../platform/ispb.js';
import { parseAmount } from '../platform/money.js';

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

function IsTimeOfDay(): PropertyDecorator {
  const fault = { code: 'InvalidFormat', message: 'must be a time of day, such as 22:00' };
  const isTime = (value: unknown) => typeof value === 'string' && TIME.test(value);
  return rule('isTimeOfDay', (value) => (isTime(value) ? undefined : fault));
}

function IsIspb(): PropertyDecorator {
  const fault = { code: 'InvalidFormat', message: 'must be an ISPB: eight digits or letters' };
  const isIspb = (value: unknown) => typeof value === 'string' && parseIspb(value) !== undefined;
  return rule('isIspb', (value) => (isIspb(value) ? undefined : fault));
}

export class TimeOfDayDto {
  @ApiProperty({ example: '22:00' })
  @IsTimeOfDay()
  from: string;

  @ApiProperty({ example: '06:00', description: 'Earlier than `from`: over midnight' })
  @IsTimeOfDay()
  to: string;
}

/** Conditions that are absent or `null` do not count; one at least is needed. */
export class CautionaryRuleDto {
  @ApiProperty({ example: 'Large, from somebody new', description: 'For the history; the partner does not see it' })
  @IsText({ minimum: 1, maximum: 64 })
  name: string;

  @ApiProperty({ example: '1000.00', description: 'Deposits above it' })
  @IsOptional()
  @IsAmountNotNegative()
  amountAbove?: string | null;

  @ApiProperty({ example: true, description: 'The payer has not paid to the account before' })
  @IsOptional()
  @IsTrueOrFalse()
  payerUnknown?: boolean | null;

  @ApiProperty({ example: '99999008', description: "ISPB of the payer's institution" })
  @IsOptional()
  @IsIspb()
  payerInstitution?: string | null;

  @ApiProperty({ description: 'When the deposit was paid, America/Sao_Paulo' })
  @IsOptional()
  @IsNested(() => TimeOfDayDto)
  timeOfDay?: TimeOfDayDto | null;

  @ApiProperty({ default: false, description: 'For accounts of companies too (Resolução BCB 506/2025)' })
  @IsOptional()
  @IsTrueOrFalse()
  companies?: boolean | null;

  @ApiProperty({ default: MAX_CAUTIONARY_HOURS, type: 'integer', description: 'How long the money is blocked at most' })
  @IsOptional()
  @IsWhole(1, MAX_CAUTIONARY_HOURS)
  hours?: number | null;
}

export function toRule({ name, amountAbove, timeOfDay, ...dto }: CautionaryRuleDto): Omit<CautionaryRule, 'id'> {
  return {
    name,
    amountAbove: amountAbove ? parseAmount(amountAbove)!.toString() : null,
    payerUnknown: dto.payerUnknown ?? false,
    payerInstitution: dto.payerInstitution ? parseIspb(dto.payerInstitution)! : null,
    timeOfDay: timeOfDay ? { from: timeOfDay.from, to: timeOfDay.to } : null,
    companies: dto.companies ?? false,
    hours: dto.hours ?? MAX_CAUTIONARY_HOURS,
  };
}
