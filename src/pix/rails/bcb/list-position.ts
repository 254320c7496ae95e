/** A position in the list of a long interval: PSPs bound the interval of one query, and page it. */
export interface ListPosition {
  /** Beginning of the part of the interval that is being read. */
  readonly start: Date;
  /** The first is 0. */
  readonly page: number;
}

export const DAY_MS = 24 * 3_600_000;
/** A list may filter by another timestamp of a payment than the one that it gives. */
export const AROUND_MS = 60_000;

/** @param cursor as `toCursor` wrote it; `null` for the beginning */
export function parseCursor(cursor: string | null, beginning: Date): ListPosition {
  if (cursor === null) return { start: beginning, page: 0 };
  const [start = '', page = ''] = cursor.split(' ');
  return { start: new Date(start), page: Number(page) };
}

export function toCursor(position: ListPosition | undefined): string | null {
  return position ? `${position.start.toISOString()} ${position.page}` : null;
}

/**
 * The next page of this part, or the first of the next part; `undefined` at the end.
 * @param pages how many this part has
 */
export function nextPosition(
  { start, page }: ListPosition,
  pages: number,
  to: Date,
  windowMs: number,
): ListPosition | undefined {
  if (page + 1 < pages) return { start, page: page + 1 };
  const next = new Date(start.getTime() + windowMs);
  return next < to ? { start: next, page: 0 } : undefined;
}
