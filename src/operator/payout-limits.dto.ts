import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import type { AskedAmounts, AskedLimits } from '../accounts/index.js';
import {
  IsAmountNotNegative,
  IsNested,
  IsOneOf,
  IsTaxNumber,
  IsText,
  IsWhole,
  stacked,
} from '../platform/http/index.js';
import { parseAmount } from '../platform/money.js';

const Amount = (description: string) =>
  stacked(ApiProperty({ description, example: '1000.00' }), IsOptional(), IsAmountNotNegative());

/** Members that are absent stay as they are; `null` takes a limit away. */
export class AmountLimitsDto {
  @Amount('Greatest amount of one payout')
  payment?: string | null;

  @Amount('All payouts by day, from 06:00 until the night begins, America/Sao_Paulo')
  day?: string | null;

  @Amount('All payouts of a night, until 06:00')
  night?: string | null;

  @Amount('All payouts of a calendar month')
  month?: string | null;
}

/** What one payee may get. */
export class PayeeLimitsDto {
  @Amount('A natural person by day, a legal person in a calendar day')
  day?: string | null;

  @Amount('A natural person in a night')
  night?: string | null;
}

export class PayoutLimitsDto extends AmountLimitsDto {
  @ApiProperty({ description: 'Number of payouts in an hour by the clock', example: 100, type: 'integer' })
  @IsOptional()
  @IsWhole(0, 1_000_000)
  payoutsPerHour?: number | null;

  @ApiProperty({ description: 'When the night begins; null is 20:00', enum: ['20:00', '22:00'] })
  @IsOptional()
  @IsOneOf(['20:00', '22:00'])
  nightStartsAt?: '20:00' | '22:00' | null;

  /** Of payouts to the account's own holder; they hold beside those of all payouts. */
  @IsOptional()
  @IsNested(() => AmountLimitsDto)
  own?: AmountLimitsDto;

  /** Of payouts to everybody else; they hold beside those of all payouts. */
  @IsOptional()
  @IsNested(() => AmountLimitsDto)
  others?: AmountLimitsDto;

  /** Of what one payee gets. */
  @IsOptional()
  @IsNested(() => PayeeLimitsDto)
  payee?: PayeeLimitsDto;
}

export class RegisterContactDto {
  @ApiProperty({ example: 'Maria Silva' })
  @IsText({ minimum: 1, maximum: 140 })
  name: string;

  @ApiProperty({ example: '52998224725' })
  @IsTaxNumber()
  taxNumber: string;

  /** They hold instead of the account's, after the delay of a raise. */
  @IsNested(() => AmountLimitsDto)
  limits: AmountLimitsDto;
}

/** The limits that a body asks for, in the domain's units. */
export function toLimits(dto: PayoutLimitsDto): AskedLimits {
  const { payoutsPerHour, nightStartsAt, own, others, payee, ...amounts } = dto;
  return {
    ...toAmounts(amounts),
    ...apart('own', own),
    ...apart('others', others),
    ...apart('payee', payee),
    ...(payoutsPerHour !== undefined && { hour: payoutsPerHour === null ? null : String(payoutsPerHour) }),
    ...(nightStartsAt !== undefined && { nightStart: nightStartsAt === '22:00' ? '22' : '20' }),
  };
}

export function toAmounts(amounts: AmountLimitsDto): AskedAmounts {
  const given = Object.entries(amounts as Record<string, string | null | undefined>).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(given.map(([name, value]) => [name, value && parseAmount(value)!.toString()]));
}

const NONE: AmountLimitsDto = { payment: null, day: null, night: null, month: null };

/** `own.day` is `ownDay`; a group that is null has no limits. */
function apart(group: string, amounts: AmountLimitsDto | PayeeLimitsDto | null | undefined): AskedLimits {
  const asked = Object.entries(toAmounts((amounts === null ? NONE : amounts) ?? {}));
  return Object.fromEntries(asked.map(([name, value]) => [`${group}${name[0]!.toUpperCase()}${name.slice(1)}`, value]));
}
