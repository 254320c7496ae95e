import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

export interface Page<Row> {
  readonly items: readonly Row[];
  /** Text or null: the document gives it no type. */
  readonly nextCursor: unknown;
}

/** A list that loads its pages as it is scrolled. `more` loads the next page, unless one is loading. */
export interface Pages<Row> {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  readonly isReading: boolean;
  readonly hasMore: boolean;
  readonly error: Error | null;
  readonly more: () => void;
  /** Reads again what failed: the next page, or all that were read. */
  readonly retry: () => void;
}

interface Options {
  readonly enabled?: boolean;
  /** Milliseconds between refreshes; a list with more than one page is not refreshed. */
  readonly live?: number;
}

/** @param read loads a page; the first page's cursor is `undefined` */
export function usePages<Row>(
  key: readonly unknown[],
  read: (cursor: string | undefined) => Promise<Page<Row>>,
  { enabled = true, live }: Options = {},
): Pages<Row> {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => (typeof nextCursor === 'string' ? nextCursor : undefined),
    enabled,
    refetchInterval: ({ state }) => (live !== undefined && (state.data?.pages.length ?? 0) <= 1 ? live : false),
  });
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data]);
  return {
    rows,
    isLoading: query.isPending && enabled,
    isReading: query.isFetchingNextPage,
    hasMore: query.hasNextPage,
    error: query.error,
    more: () => {
      if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
    },
    retry: () => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch()),
  };
}
