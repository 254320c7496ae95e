import { useQueries } from '@tanstack/react-query';
import { answer, api } from './client.js';

/** The most that the route accepts. */
const MAX_UIDS = 100;

/** Names of accounts that the session may read; empty until they are loaded. */
export function useNames(uids: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(uids)];
  // In the order of the list: a further page of it leaves the names that are known.
  const groups = Array.from({ length: Math.ceil(wanted.length / MAX_UIDS) }, (_, place) =>
    wanted
      .slice(place * MAX_UIDS, (place + 1) * MAX_UIDS)
      .sort()
      .join(','),
  );
  const answers = useQueries({
    queries: groups.map((group) => ({
      queryKey: ['names', group],
      queryFn: () => answer(api.GET('/audit/names', { params: { query: { uids: group } } })),
      staleTime: 60_000,
    })),
  });
  const items = answers.flatMap(({ data }) => data?.items ?? []);
  return new Map(items.flatMap(({ uid, name }) => (name === null ? [] : [[uid, name] as const])));
}
