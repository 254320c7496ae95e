import { InvalidArgumentError } from 'commander';
import { parseDate } from '../../platform/http/index.js';

/** Parsers of the commands' options. */

export const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number.');
  return Number(text);
}

export function position(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('must be a whole number.');
  return BigInt(text);
}

export function moment(text: string): Date {
  const date = parseDate(text);
  if (!date) throw new InvalidArgumentError('must be an ISO 8601 date or date-time with a zone.');
  return date;
}
