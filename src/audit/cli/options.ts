import { isUUID } from 'class-validator';
import { InvalidArgumentError } from 'commander';
import { parseDate } from '../../platform/http/index.js';
import { parseWitnessKey, type WitnessKey } from '../checkpoints/cosignature.js';
import { MalformedNote, type NoteVerifier, parseVerifier } from '../checkpoints/note.js';

/** Parsers of the commands' options. */

export const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

export function collectVerifiers(text: string, before: readonly NoteVerifier[]): readonly NoteVerifier[] {
  return [...before, argument(text, parseVerifier)];
}

export function collectWitnesses(text: string, before: readonly WitnessKey[]): readonly WitnessKey[] {
  return [...before, argument(text, parseWitnessKey)];
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number.');
  return Number(text);
}

export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new InvalidArgumentError('must be from 0 to 65535.');
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

export function uuid(text: string): string {
  if (!isUUID(text)) throw new InvalidArgumentError('must be a UUID.');
  return text.toLowerCase();
}

/** What a script gives of a variable that is not set would be taken for no option at all. */
export function filled(text: string): string {
  if (text === '') throw new InvalidArgumentError('must not be empty.');
  return text;
}

/** The name in a key, which ends where a plus sign begins. */
export function keyName(text: string): string {
  if (!/^[^\s+]+$/.test(text)) throw new InvalidArgumentError('must be without spaces and plus signs.');
  return text;
}

function argument<T>(text: string, parse: (text: string) => T): T {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof MalformedNote) throw new InvalidArgumentError(`${error.message}.`);
    throw error;
  }
}
