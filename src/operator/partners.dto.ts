import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import {
  ACCOUNT_CLASSES,
  ACCOUNT_TYPES,
  type AccountClass,
  type AccountType,
  type PartnerSettings,
} from '../accounts/index.js';
import {
  IsAmountNotNegative,
  IsIsoDate,
  IsOneOf,
  IsTaxNumber,
  IsText,
  IsTrueOrFalse,
  parseDate,
  stacked,
  writable,
} from '../platform/http/index.js';
import { parseAmount } from '../platform/money.js';
import { midnightOf } from '../platform/sao-paulo.js';

const IsName = () => IsText({ minimum: 1, maximum: 140 });
const IsHolder = () => IsTaxNumber('must be a CPF or CNPJ with valid check digits');

export class RegisterPartnerDto {
  @ApiProperty({ example: 'Loja Exemplo Ltda' })
  @IsName()
  name: string;

  @ApiProperty({ example: '11222333000181', description: 'CPF or CNPJ, numeric or alphanumeric' })
  @IsHolder()
  taxNumber: string;
}

export class OpenAccountDto {
  @ApiProperty({ example: 'Loja Exemplo Ltda' })
  @IsName()
  name: string;

  @ApiProperty({ example: '11222333000181' })
  @IsHolder()
  taxNumber: string;

  @ApiProperty({ enum: ACCOUNT_TYPES, default: 'PaymentAccount' })
  @IsOptional()
  @IsOneOf(ACCOUNT_TYPES)
  type?: AccountType;

  @ApiProperty({ enum: ACCOUNT_CLASSES, default: 'Standard' })
  @IsOptional()
  @IsOneOf(ACCOUNT_CLASSES)
  class?: AccountClass;
}

const Amount = (description: string) =>
  stacked(ApiProperty({ description, example: '1.00' }), IsOptional(), IsAmountNotNegative());

/** Members that are absent stay as they are; `null` removes a limit or date, or restores a default. */
export class PartnerSettingsDto {
  @Amount('Least amount of one transfer; default 1.00')
  transferMinimum?: string | null;

  @Amount('Greatest amount of one transfer; default none')
  transferMaximum?: string | null;

  @Amount('Least amount of one cash-in; default 0.01')
  cashInMinimum?: string | null;

  @Amount('Greatest amount of one cash-in; default none')
  cashInMaximum?: string | null;

  @Amount('Least amount of one cash-out; default 0.01')
  cashOutMinimum?: string | null;

  @Amount('Greatest amount of one cash-out; default none')
  cashOutMaximum?: string | null;

  @Amount('Greatest amount of one cash-out from 20:00 to 06:00, America/Sao_Paulo; default none')
  cashOutNightMaximum?: string | null;

  @Amount('Charge of one cash-in; default 0.00')
  cashInCharge?: string | null;

  @Amount('Charge of one cash-out; default 0.00')
  cashOutCharge?: string | null;

  @ApiProperty({
    description:
      'After it, Legacy accounts cannot transfer. A date without a time is the end of that day in São Paulo; answers show the moment',
    example: '2027-01-31',
  })
  @IsOptional()
  @IsIsoDate()
  sunsetDate?: string | null;

  @ApiProperty({
    description: 'A second order with the same orderId of an account (compared in NFC and trimmed) is refused',
    example: false,
  })
  @IsOptional()
  @IsTrueOrFalse()
  uniqueOrderIds?: boolean;

  @ApiProperty({
    description:
      'A cash-out by key and account is sent to the account where the rail cannot compare the two, and the key is not ' +
      'checked; otherwise it is refused there',
    example: false,
  })
  @IsOptional()
  @IsTrueOrFalse()
  accountDecides?: boolean;
}

const DAY_MS = 24 * 3_600_000;
const BARE_DATE = /^[\d-]{10}$/;

/** The end of a date in São Paulo. */
function endOf(date: string): Date {
  return BARE_DATE.test(date) ? writable(midnightOf(date).getTime() + DAY_MS) : parseDate(date)!;
}

/** The changes that a body asks for, in the domain's units. */
export function toSettings(dto: PartnerSettingsDto, defaults: PartnerSettings): Partial<PartnerSettings> {
  const { sunsetDate, uniqueOrderIds, accountDecides, ...amounts } = dto;
  const given = Object.entries(amounts).filter(([, value]) => value !== undefined);
  const changes = given.map(([member, value]) => [
    member,
    value === null ? defaults[member as keyof PartnerSettings] : parseAmount(value)!.toString(),
  ]);
  return {
    ...(Object.fromEntries(changes) as Partial<PartnerSettings>),
    ...(sunsetDate !== undefined && { sunsetDate: sunsetDate && endOf(sunsetDate).toISOString() }),
    ...(uniqueOrderIds !== undefined && { uniqueOrderIds: uniqueOrderIds ?? defaults.uniqueOrderIds }),
    ...(accountDecides !== undefined && { accountDecides: accountDecides ?? defaults.accountDecides }),
  };
}
