import { describe, expect, it } from '@jest/globals';
import { MalformedAnswer } from './answer-members.js';
import { DAY_MS, listedPage, nextPosition, type ListPosition, parseCursor, toCursor, turned } from './list-position.js';

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

it('a cursor keeps what the page before is known by', () => {
  for (const position of [
    { start: FROM, page: 3, before: 'x' },
    { start: FROM, page: 0 },
  ]) {
    expect(parseCursor(toCursor(position), at(1))).toEqual(position);
  }
});

it('a page that is the one before it once more ends its list, and is told of', () => {
  const page = { pages: 9, knownBy: 'x', unread: [new MalformedAnswer('one')] };
  expect(turned({ start: FROM, page: 1, before: 'y' }, page)).toBe(page);
  expect(turned({ start: FROM, page: 0 }, page)).toBe(page);
  const ended = turned({ start: FROM, page: 1, before: 'x' }, page);
  expect(ended).toMatchObject({ pages: 0, unread: [page.unread[0], expect.any(MalformedAnswer)] });
});

it.each([
  [0, true],
  [100_000, true],
  [100_001, false],
  [-1, false],
  [1.5, false],
  ['1', false],
  [undefined, false],
])('a list of %p pages is one: %p', (pages, isOne) => {
  const read = () => listedPage({ paginacao: { quantidadeDePaginas: pages } }, []);
  if (isOne) expect(read()).toMatchObject({ pages });
  else expect(read).toThrow(MalformedAnswer);
});
