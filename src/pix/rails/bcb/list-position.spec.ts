import { describe, expect, it } from '@jest/globals';
import { DAY_MS, nextPosition, type ListPosition, parseCursor, toCursor } from './list-position.js';

const FROM = new Date('2026-11-01T00:00:00.000Z');
const at = (days: number) => new Date(FROM.getTime() + days * DAY_MS);

/** All positions of an interval of which every part has so many pages. */
function walk(to: Date, windowDays: number, pages: number): string[] {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const position: ListPosition = parseCursor(cursor, FROM);
    seen.push(`${(position.start.getTime() - FROM.getTime()) / DAY_MS}/${position.page}`);
    cursor = toCursor(nextPosition(position, { pages, knownBy: `${position.page}` }, to, windowDays * DAY_MS));
  } while (cursor !== null);
  return seen;
}

describe('a long interval', () => {
  it('is read in parts that the PSP allows, each to its last page', () => {
    expect(walk(at(12), 5, 2)).toEqual(['0/0', '0/1', '5/0', '5/1', '10/0', '10/1']);
  });

  it('ends exactly where a part ends, and begins where there is nothing', () => {
    expect(walk(at(10), 5, 1)).toEqual(['0/0', '5/0']);
    expect(walk(at(0), 5, 0)).toEqual(['0/0']);
  });
});
