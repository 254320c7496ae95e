import { parseAmount } from '../../../platform/money.js';
import type { RailPage } from '../pix-rail.js';
import { RailUnavailable } from '../rail-errors.js';

/** Reads single members of a PSP's answers; what breaks the standard is a `MalformedAnswer`. */

/** An answer that breaks the standard: whether the request took effect is unknown. */
export class MalformedAnswer extends RailUnavailable {
  constructor(what: string) {
    super(`the PSP's answer breaks the API Pix: ${what}`);
  }
}

/** RFC 3339. `Date` takes much more for a time, as `7`, and years that the ledger cannot write. */
const DATED = /^[0-9]{4}-[0-9]{2}-[0-9]{2}/;
/** Of payments, as the SPI has them. */
const END_TO_END_ID = /^[A-Za-z0-9]{32}$/;
/** Of the PSP's choice. It goes into events and log records. */
const IDENTIFIER = /^[\x21-\x7e]{1,100}$/;

/** Of a person, in characters. */
export const LONGEST_NAME = 140;

export function members(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new MalformedAnswer(what);
  return value as Record<string, unknown>;
}

export function list(value: unknown, what: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new MalformedAnswer(what);
  return value;
}

export function text(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '') throw new MalformedAnswer(what);
  return value;
}

export function identifier(value: unknown, what: string): string {
  if (!isIdentifier(value)) throw new MalformedAnswer(what);
  return value;
}

export function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && IDENTIFIER.test(value);
}

export function endToEndIdOf(value: unknown, what: string): string {
  if (!isEndToEndId(value)) throw new MalformedAnswer(what);
  return value;
}

export function isEndToEndId(value: unknown): value is string {
  return typeof value === 'string' && END_TO_END_ID.test(value);
}

/** A text for people, cut between characters: half of one breaks partners' readers of JSON. */
export function cutText(value: unknown, longest: number): string | undefined {
  const text = optionalText(value);
  return text && [...text.slice(0, 2 * longest).toWellFormed()].slice(0, longest).join('');
}

export function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function amount(value: unknown, what: string): bigint {
  const centavos = typeof value === 'string' ? parseAmount(value) : undefined;
  if (centavos === undefined || centavos < 0n) throw new MalformedAnswer(what);
  return centavos;
}

/** No movement of money is of nothing. */
export function paidAmount(value: unknown, what: string): bigint {
  const centavos = amount(value, what);
  if (centavos === 0n) throw new MalformedAnswer(what);
  return centavos;
}

export function moment(value: unknown, what: string): Date {
  const written = text(value, what);
  const at = new Date(written);
  const isTime = DATED.test(written) && !Number.isNaN(at.getTime());
  // Its zone may lead to a year that is later, or earlier, than those of four digits.
  if (!isTime || !DATED.test(at.toISOString())) throw new MalformedAnswer(what);
  return at;
}

/** Items of a list, and why others of it break the standard: those hide none of the rest. */
export function readEach<T>(items: readonly unknown[], read: (one: unknown) => T) {
  const found: T[] = [];
  const unread: MalformedAnswer[] = [];
  for (const one of items) {
    try {
      found.push(read(one));
    } catch (error) {
      if (!(error instanceof MalformedAnswer)) throw error;
      unread.push(error);
    }
  }
  return { found, unread };
}

/** A page of a list that proves something: it may lack nothing. @throws RailUnavailable */
export function whole<Page extends Pick<RailPage<unknown>, 'unread'>>(page: Page): Page {
  const [first] = page.unread ?? [];
  if (first) throw first;
  return page;
}
