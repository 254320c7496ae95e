/** Where a reader of a long interval stands: PSPs bound what one query may span, and page it. */
export interface Place {
  /** Beginning of the part of the interval that is being read. */
  readonly start: Date;
  /** The first is 0. */
  readonly page: number;
}

export const DAY_MS = 24 * 3_600_000;

/** @param cursor as `writePlace` wrote it; `null` for the beginning */
export function readPlace(cursor: string | null, beginning: Date): Place {
  if (cursor === null) return { start: beginning, page: 0 };
  const [start = '', page = ''] = cursor.split(' ');
  return { start: new Date(start), page: Number(page) };
}

export function writePlace(place: Place | undefined): string | null {
  return place ? `${place.start.toISOString()} ${place.page}` : null;
}

/**
 * The next page of this part, or the first of the next part; `undefined` at the end.
 * @param pages how many this part has
 */
export function nextPlace({ start, page }: Place, pages: number, to: Date, windowMs: number): Place | undefined {
  if (page + 1 < pages) return { start, page: page + 1 };
  const next = new Date(start.getTime() + windowMs);
  return next < to ? { start: next, page: 0 } : undefined;
}
