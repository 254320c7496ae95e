import { parseAmount } from '../money.js';
import type { Check } from './fields.js';

/** Checks of members that every module uses. */

// Control characters and lone surrogates never belong in a text of ours: they cannot be shown, signed or stored alike everywhere.
const UNCLEAN = /[\p{Cc}\p{Surrogate}\ufffe\uffff]/u;

export function text({ minimum = 0, maximum }: { minimum?: number; maximum: number }): Check {
  return (value) => {
    if (typeof value !== 'string') return notText();
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
  };
}

/** Names a thing of ours: which texts do is not told, one that does not is not found (decisions 1). */
export const identifier: Check = (value) => {
  if (typeof value !== 'string') return notText();
  return value === '' ? empty(1) : undefined;
};

export function pattern(expression: RegExp, rule: string): Check {
  return (value) => {
    if (typeof value !== 'string') return notText();
    return expression.test(value) ? undefined : { code: 'InvalidFormat', message: rule };
  };
}

export function oneOf(allowedValues: readonly string[]): Check {
  return (value) =>
    allowedValues.includes(value as string)
      ? undefined
      : { code: 'NotAllowed', message: `must be one of ${allowedValues.join(', ')}`, info: { allowedValues } };
}

const AMOUNT_RULE = 'must be a string of digits with at most two decimals after a dot, such as "10.50"';

/** An amount above zero; one that parses but is not above zero is the named domain reason. */
export function amountAboveZero(reason: string): Check {
  return (value) => {
    const centavos = typeof value === 'string' ? parseAmount(value) : undefined;
    if (centavos === undefined) return { code: 'InvalidFormat', message: AMOUNT_RULE };
    return centavos > 0n ? undefined : { code: reason, message: 'The amount must be greater than zero.', domain: true };
  };
}

export const amountNotNegative: Check = (value) => {
  const centavos = typeof value === 'string' ? parseAmount(value) : undefined;
  return centavos === undefined || centavos < 0n ? { code: 'InvalidFormat', message: AMOUNT_RULE } : undefined;
};

export const isBoolean: Check = (value) =>
  typeof value === 'boolean'
    ? undefined
    : { code: 'InvalidType', message: 'must be true or false', info: { expected: 'boolean' } };

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

/** ISO 8601 date (midnight UTC) or date-time with a zone. @returns `undefined` when it is neither */
export function parseDate(value: string): Date | undefined {
  if (!DATE.test(value)) return undefined;
  const date = new Date(value);
  // `new Date` rolls 30 February over into March; a date that does not exist is a fault.
  const exists =
    !Number.isNaN(date.getTime()) &&
    new Date(`${value.slice(0, 10)}T00:00:00Z`).toISOString().startsWith(value.slice(0, 10));
  return exists ? date : undefined;
}

export const isoDate: Check = (value) =>
  typeof value === 'string' && parseDate(value)
    ? undefined
    : { code: 'InvalidFormat', message: 'must be an ISO 8601 date or date-time with a zone' };

function empty(minimum: number) {
  return { code: 'Required', message: 'must not be empty', info: { minimum } };
}

function notText() {
  return { code: 'InvalidType', message: 'must be a string', info: { expected: 'string' } };
}
