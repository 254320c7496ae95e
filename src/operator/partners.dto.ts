import { type AccountClass, ACCOUNT_TYPES, type AccountType, type PartnerSettings } from '../accounts/index.js';
import {
  amountNotNegative,
  type Check,
  isBoolean,
  isoDate,
  oneOf,
  Optional,
  parseDate,
  Required,
  text,
} from '../platform/http/index.js';
import { parseAmount } from '../platform/money.js';
import { parseTaxNumber } from '../platform/tax-number.js';

const NAME = text({ minimum: 1, maximum: 140 });

export const taxNumber: Check = (value) =>
  typeof value === 'string' && parseTaxNumber(value)
    ? undefined
    : { code: 'InvalidFormat', message: 'must be a CPF or CNPJ with valid check digits' };

export class RegisterPartnerDto {
  @Required({ example: 'Loja Exemplo Ltda' }, NAME)
  name: string;

  @Required({ example: '11222333000181', description: 'CPF or CNPJ, numeric or alphanumeric' }, taxNumber)
  taxNumber: string;
}

export class OpenAccountDto {
  @Required({ example: 'Loja Exemplo Ltda' }, NAME)
  name: string;

  @Required({ example: '11222333000181' }, taxNumber)
  taxNumber: string;

  @Optional({ enum: ACCOUNT_TYPES, default: 'PaymentAccount' }, oneOf(ACCOUNT_TYPES))
  type?: AccountType;

  @Optional({ enum: ['Standard', 'Legacy'], default: 'Standard' }, oneOf(['Standard', 'Legacy']))
  class?: AccountClass;
}

const amount = (description: string) =>
  Optional({ description, type: String, example: '1.00', nullable: true }, amountNotNegative);

/** Members that are absent stay as they are; `null` takes a limit or date away, or puts a default back. */
export class PartnerSettingsDto {
  @amount('Least amount of one transfer; default 1.00')
  transferMinimum?: string | null;

  @amount('Greatest amount of one transfer; default none')
  transferMaximum?: string | null;

  @amount('Least amount of one cash-in; default 0.01')
  cashInMinimum?: string | null;

  @amount('Greatest amount of one cash-in; default none')
  cashInMaximum?: string | null;

  @amount('Least amount of one cash-out; default 0.01')
  cashOutMinimum?: string | null;

  @amount('Greatest amount of one cash-out; default none')
  cashOutMaximum?: string | null;

  @amount('Greatest amount of one cash-out from 20:00 to 06:00, America/Sao_Paulo; default none')
  cashOutNightMaximum?: string | null;

  @amount('Charge of one cash-in; default 0.00')
  cashInCharge?: string | null;

  @amount('Charge of one cash-out; default 0.00')
  cashOutCharge?: string | null;

  @Optional(
    {
      description:
        'After it, Legacy accounts cannot transfer. A date without a time ends with its day in São Paulo; answers show the moment',
      type: String,
      example: '2027-01-31',
      nullable: true,
    },
    isoDate,
  )
  sunsetDate?: string | null;

  @Optional(
    {
      description: 'A second order with the same orderId of an account (compared in NFC and trimmed) is refused',
      example: false,
    },
    isBoolean,
  )
  uniqueOrderIds?: boolean;
}

const BARE_DATE = /^[\d-]{10}$/;

/** The moment after a date: that of the next day, in São Paulo, which has had no summer time since Decreto 9.772/2019. */
function endOf(date: string): Date {
  return BARE_DATE.test(date) ? new Date(`${date}T24:00:00-03:00`) : parseDate(date)!;
}

/** The changes that a body asks for, in the domain's units. */
export function toSettings(dto: PartnerSettingsDto, defaults: PartnerSettings): Partial<PartnerSettings> {
  const { sunsetDate, uniqueOrderIds, ...amounts } = dto;
  const given = Object.entries(amounts).filter(([, value]) => value !== undefined);
  const changes = given.map(([member, value]) => [
    member,
    value === null ? defaults[member as keyof PartnerSettings] : parseAmount(value)!.toString(),
  ]);
  return {
    ...(Object.fromEntries(changes) as Partial<PartnerSettings>),
    ...(sunsetDate !== undefined && { sunsetDate: sunsetDate && endOf(sunsetDate).toISOString() }),
    ...(uniqueOrderIds !== undefined && { uniqueOrderIds: uniqueOrderIds ?? defaults.uniqueOrderIds }),
  };
}
