import { createHash } from 'node:crypto';
import { MalformedAnswer, members } from './answer-members.js';

/** What is common to the pages of lists. */
export interface ListedPage {
  /** How many pages there are; the first is 0. */
  readonly pages: number;
  /** Pages with the same items have the same. */
  readonly knownBy: string;
  /** Why items of it break the standard. */
  readonly unread: readonly MalformedAnswer[];
}

/** A position in the list of a long interval: PSPs bound the interval of one query, and page it. */
export interface ListPosition {
  /** Beginning of the part of the interval that is being read. */
  readonly start: Date;
  /** The first is 0. */
  readonly page: number;
  /** What the page before is known by. */
  readonly before?: string;
}

/** Of one query's list: ten million payments. A list that says that it has more would be read for ever. */
const MOST_PAGES = 100_000;
export const DAY_MS = 24 * 3_600_000;
/** A list may filter by another timestamp of a payment than the one that it gives. */
export const AROUND_MS = 60_000;

/** @param cursor as `toCursor` wrote it; `null` for the beginning */
export function parseCursor(cursor: string | null, beginning: Date): ListPosition {
  if (cursor === null) return { start: beginning, page: 0 };
  const [start = '', page = '', before] = cursor.split(' ');
  return { start: new Date(start), page: Number(page), ...(before !== undefined && { before }) };
}

export function toCursor(position: ListPosition | undefined): string | null {
  if (!position) return null;
  const { start, page, before } = position;
  return [start.toISOString(), page, ...(before === undefined ? [] : [before])].join(' ');
}

/** What a page without items is known by. */
const EMPTY = knownBy([]);

/**
 * A page that is the one before it once more, as both are empty or a PSP does not turn pages: its list claims more than
 * it gives, and could be read for hours. This part of the interval ends here, and is to be asked for again. So is one
 * that lacks what is on one of its pages. An empty last page lacks nothing: some PSPs claim one too many.
 */
export function turned<Page extends ListedPage>({ page: at, before }: ListPosition, page: Page): Page {
  if (page.knownBy === before) return { ...unreadable(page, 'a list claims more pages than it has'), pages: 0 };
  if (before === EMPTY) return unreadable(page, 'a page of a list is empty, and not the last one');
  return at > 0 && at >= page.pages ? unreadable(page, 'a list has become shorter while it was read') : page;
}

function unreadable<Page extends ListedPage>(page: Page, why: string): Page {
  return { ...page, unread: [...page.unread, new MalformedAnswer(why)] };
}

/** The next page of this part, or the first of the next part; `undefined` at the end. */
export function nextPosition(
  { start, page }: ListPosition,
  { pages, knownBy: before }: Pick<ListedPage, 'pages' | 'knownBy'>,
  to: Date,
  windowMs: number,
): ListPosition | undefined {
  if (page + 1 < pages) return { start, page: page + 1, before };
  const next = new Date(start.getTime() + windowMs);
  return next < to ? { start: next, page: 0 } : undefined;
}

/** The place of a page in its list, by its `parametros`. */
export function listedPage(parametros: unknown, items: readonly unknown[]): Pick<ListedPage, 'pages' | 'knownBy'> {
  return { pages: pagesOf(parametros), knownBy: knownBy(items) };
}

function knownBy(items: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(items)).digest('base64url');
}

function pagesOf(parametros: unknown): number {
  const { paginacao } = members(parametros, 'parametros');
  const { quantidadeDePaginas: pages } = members(paginacao, 'parametros.paginacao');
  const isCount = typeof pages === 'number' && Number.isInteger(pages) && pages >= 0 && pages <= MOST_PAGES;
  if (!isCount) throw new MalformedAnswer('parametros.paginacao.quantidadeDePaginas');
  return pages;
}
