import { hash } from 'node:crypto';
import { ValidationError } from '../errors/index.js';

export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 50;

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** An invalid parameter of a path or query. */
export function malformed(path: string, message: string): ValidationError {
  return new ValidationError([{ path, code: 'InvalidFormat', message, info: {} }]);
}

/**
 * Opaque keyset cursors. A cursor carries the key of the last item shown and a digest of that key and of the list it
 * belongs to (route, owner and filters), so that it is refused on another list, or when damaged.
 */
export function encodeCursor(list: readonly unknown[], key: string): string {
  return Buffer.from(`${digest([...list, key])}.${key}`).toString('base64url');
}

/** The formats of a cursor's key: the database receives it as one of these types. */
export const CURSOR_KEY = {
  id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  /** Fits PostgreSQL's `bigint`. */
  position: /^\d{1,18}$/,
  /** Position and number, which fits PostgreSQL's `int`. */
  entry: /^\d{1,18}\/1?\d{1,9}$/,
} as const;

/**
 * The digest is no signature: anybody may forge a cursor. So a cursor gives access to nothing beyond its list, and its
 * key must have the format of the list's keys.
 * @param shape of the list's keys, see CURSOR_KEY
 * @throws ValidationError for a cursor that is damaged or belongs to another list
 */
export function decodeCursor(list: readonly unknown[], cursor: string | undefined, shape: RegExp): string | undefined {
  if (cursor === undefined) return undefined;
  const text = Buffer.from(cursor, 'base64url').toString();
  const [seal, ...rest] = text.split('.');
  const key = rest.join('.');
  const isOurs = seal === digest([...list, key]) && Buffer.from(text).toString('base64url') === cursor;
  if (!isOurs || !shape.test(key)) {
    throw malformed('cursor', 'must be a nextCursor of this very list, with the same filters');
  }
  return key;
}

function digest(list: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(list), 'base64url').slice(0, 16);
}

/** Makes a page of `limit + 1` rows. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  list: readonly unknown[],
  keyOf: (row: Row) => string,
  show: (row: Row) => Item,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(show),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(list, keyOf(last)) : null,
  };
}

/** How many of the first rows a page takes whose parts are bounded too: one, however many parts it has. */
export function rowsWithin<Row>(rows: readonly Row[], most: number, partsOf: (row: Row) => number): number {
  let parts = 0;
  const over = rows.findIndex((row) => (parts += partsOf(row)) > most);
  return over < 0 ? rows.length : Math.max(1, over);
}
