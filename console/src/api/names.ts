import { useQuery } from '@tanstack/react-query';
import { answer, api } from './client.js';

/** The most that the route accepts. */
const MAX_UIDS = 100;

/** Names of accounts that the session may read; empty until they are loaded. */
export function useNames(uids: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(uids)].sort().slice(0, MAX_UIDS).join(',');
  const { data } = useQuery({
    queryKey: ['names', wanted],
    queryFn: () => answer(api.GET('/audit/names', { params: { query: { uids: wanted } } })),
    enabled: wanted !== '',
    staleTime: 60_000,
  });
  return new Map((data?.items ?? []).flatMap(({ uid, name }) => (name === null ? [] : [[uid, name] as const])));
}
