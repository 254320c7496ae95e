import { PaymentsError } from './errors.js';

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** `null` on the last page. */
  readonly nextCursor: string | null;
}

/**
 * A paginated list. `for await` iterates over all of it and requests pages as needed; `page` returns one page, for
 * lists that are shown page by page.
 */
export class Pages<T> implements AsyncIterable<T> {
  constructor(private readonly fetchPage: (cursor: string | undefined) => Promise<Page<T>>) {}

  /** @param cursor `nextCursor` of the previous page; absent: the first */
  page(cursor?: string): Promise<Page<T>> {
    return this.fetchPage(cursor);
  }

  /** @throws PaymentsError where a page names itself as the next one, as from a cache that ignores the query */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = await this.fetchPage(cursor);
      if (page.nextCursor !== null && page.nextCursor === cursor) {
        throw new PaymentsError('the list does not go on: a page names itself as the next one');
      }
      yield* page.items;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}
