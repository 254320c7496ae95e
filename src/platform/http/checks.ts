import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsString, Max, Min } from 'class-validator';
import { parseAmount } from '../money.js';
import { parseTaxNumber } from '../tax-number.js';
import { type Fault, rule, stacked, told } from './rules.js';

/** Validation rules shared by all modules. */

// Control characters and lone surrogates are refused: they are not shown, signed or stored alike everywhere.
const UNCLEAN = /[\p{Cc}\p{Surrogate}\ufffe\uffff]/u;

export const NOT_TEXT: Fault = { code: 'InvalidType', message: 'must be a string', info: { expected: 'string' } };

/** Lengths are those of Unicode: `Length` of class-validator does not count a variation selector. */
export function IsText({ minimum = 0, maximum }: { minimum?: number; maximum: number }): PropertyDecorator {
  const shown = ApiProperty({ ...(minimum > 0 && { minLength: minimum }), maxLength: maximum });
  const check = rule('isText', (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    if (value.length < minimum) {
      return value.length === 0
        ? empty(minimum)
        : { code: 'TooShort', message: `must have at least ${minimum} characters`, info: { minimum } };
    }
    if ([...value].length > maximum) {
      return { code: 'TooLong', message: `must have at most ${maximum} characters`, info: { maximum } };
    }
    if (UNCLEAN.test(value)) return { code: 'InvalidFormat', message: 'must not contain control characters' };
    return undefined;
  });
  return stacked(shown, check);
}

/** An identifier of the service: its format is not documented, an invalid one is not found (decisions 1). */
export function IsIdentifier(): PropertyDecorator {
  return stacked(ApiProperty({ minLength: 1 }), IsString(told(NOT_TEXT)), IsNotEmpty(told(empty(1))));
}

export function IsOneOf(allowedValues: readonly string[]): PropertyDecorator {
  const message = `must be one of ${allowedValues.join(', ')}`;
  return IsIn(allowedValues, told({ code: 'NotAllowed', message, info: { allowedValues } }));
}

export function IsTrueOrFalse(): PropertyDecorator {
  return IsBoolean(told({ code: 'InvalidType', message: 'must be true or false', info: { expected: 'boolean' } }));
}

export function IsWhole(minimum: number, maximum: number): PropertyDecorator {
  const message = `must be a whole number from ${minimum} to ${maximum}`;
  const options = told({ code: 'NotAllowed', message, info: { minimum, maximum } });
  return stacked(IsInt(options), Min(minimum, options), Max(maximum, options));
}

export function IsTaxNumber(message = 'must be a CPF or a CNPJ with valid check digits'): PropertyDecorator {
  return rule('isTaxNumber', (value) =>
    typeof value === 'string' && parseTaxNumber(value) ? undefined : { code: 'InvalidFormat', message },
  );
}

/** The format of amounts; `parseAmount` also accepts a minus, for a better message. */
const IsWrittenAmount = () => ApiProperty({ pattern: '^\\d{1,13}(\\.\\d{1,2})?$' });
const AMOUNT_RULE = 'must be a string of 1 to 13 digits, with at most two decimals after a dot, such as "10.50"';

/** An amount above zero; zero or less is refused with the named reason. */
export function IsAmountAboveZero(reason: string): PropertyDecorator {
  const check = rule('isAmountAboveZero', (value) => {
    const centavos = typeof value === 'string' ? parseAmount(value) : undefined;
    if (centavos === undefined) return { code: 'InvalidFormat', message: AMOUNT_RULE };
    return centavos > 0n ? undefined : { code: reason, message: 'The amount must be greater than zero.', domain: true };
  });
  return stacked(IsWrittenAmount(), check);
}

export function IsAmountNotNegative(): PropertyDecorator {
  const check = rule('isAmountNotNegative', (value) => {
    const centavos = typeof value === 'string' ? parseAmount(value) : undefined;
    return centavos === undefined || centavos < 0n ? { code: 'InvalidFormat', message: AMOUNT_RULE } : undefined;
  });
  return stacked(IsWrittenAmount(), check);
}

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** The range of RFC 3339 date-times: years have four digits, and PostgreSQL has no year 0. */
const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00Z');
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');

/** A moment, at most the last one of that range. */
export function writable(moment: Date | number): Date {
  return new Date(Math.min(Number(moment), LAST_MOMENT));
}

/**
 * ISO 8601 date (midnight UTC) or date-time with a zone. @returns `undefined` for anything else, or outside of the
 * range
 */
export function parseDate(value: string): Date | undefined {
  if (!DATE.test(value)) return undefined;
  const date = new Date(value);
  // `new Date` rolls 30 February over into March; a date that does not exist is a fault.
  const exists =
    date.getTime() >= FIRST_MOMENT &&
    date.getTime() <= LAST_MOMENT &&
    new Date(`${value.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(value.slice(0, 10));
  return exists ? date : undefined;
}

export function IsIsoDate(): PropertyDecorator {
  return rule('isIsoDate', (value) =>
    typeof value === 'string' && parseDate(value)
      ? undefined
      : { code: 'InvalidFormat', message: 'must be an ISO 8601 date or date-time with a zone' },
  );
}

function empty(minimum: number): Fault {
  return { code: 'Required', message: 'must not be empty', info: { minimum } };
}
