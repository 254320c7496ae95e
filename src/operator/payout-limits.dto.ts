import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { AskedLimits } from '../accounts/index.js';
import { IsAmountNotNegative, IsOneOf, IsWhole, stacked } from '../platform/http/index.js';
import { parseAmount } from '../platform/money.js';

const Amount = (description: string) =>
  stacked(ApiProperty({ description, example: '1000.00' }), IsOptional(), IsAmountNotNegative());

/** Members that are absent stay as they are; `null` takes a limit away. */
export class PayoutLimitsDto {
  @Amount('Greatest amount of one payout')
  payment?: string | null;

  @Amount('All payouts by day, from 06:00 until the night begins, America/Sao_Paulo')
  day?: string | null;

  @Amount('All payouts of a night, until 06:00')
  night?: string | null;

  @Amount('All payouts of a calendar month')
  month?: string | null;

  @ApiProperty({ description: 'Number of payouts in an hour by the clock', example: 100, type: 'integer' })
  @IsOptional()
  @IsWhole(0, 1_000_000)
  payoutsPerHour?: number | null;

  @ApiProperty({ description: 'When the night begins; null is 20:00', enum: ['20:00', '22:00'] })
  @IsOptional()
  @IsOneOf(['20:00', '22:00'])
  nightStartsAt?: '20:00' | '22:00' | null;
}

/** The limits that a body asks for, in the domain's units. */
export function toLimits({ payoutsPerHour, nightStartsAt, ...amounts }: PayoutLimitsDto): AskedLimits {
  const given = Object.entries(amounts).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given.map(([name, value]) => [name, value && parseAmount(value)!.toString()])),
    ...(payoutsPerHour !== undefined && { hour: payoutsPerHour === null ? null : String(payoutsPerHour) }),
    ...(nightStartsAt !== undefined && { nightStart: nightStartsAt === '22:00' ? '22' : '20' }),
  };
}
