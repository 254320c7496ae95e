import { useQuery } from '@tanstack/react-query';
import { answer, api } from './client.js';

/** The route takes so many. */
const MOST = 100;

/** Names of accounts, as far as they are known and may be seen; empty until they are there. */
export function useNames(uids: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(uids)].sort().slice(0, MOST).join(',');
  const { data } = useQuery({
    queryKey: ['names', wanted],
    queryFn: () => answer(api.GET('/audit/names', { params: { query: { uids: wanted } } })),
    enabled: wanted !== '',
    staleTime: 60_000,
  });
  return new Map((data?.items ?? []).flatMap(({ uid, name }) => (name === null ? [] : [[uid, name] as const])));
}
