import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

export interface Page<Row> {
  readonly items: readonly Row[];
  /** The document says no type of a member that may be null; it is text or null. */
  readonly nextCursor: unknown;
}

/** A list by pages, read on as it is scrolled. `more` reads the next page and does nothing while one is under way. */
export interface Pages<Row> {
  readonly rows: readonly Row[];
  readonly isLoading: boolean;
  readonly isReading: boolean;
  readonly hasMore: boolean;
  readonly error: Error | null;
  readonly more: () => void;
  readonly retry: () => void;
}

interface Options {
  readonly enabled?: boolean;
  /** Milliseconds between refreshes; a list that was read on further is not refreshed by itself. */
  readonly live?: number;
}

/** @param read a page; `undefined` is the first one's cursor */
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
    retry: () => void query.refetch(),
  };
}
