import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/errors.js';
import { SESSION_KEY } from './session-key.js';

/** The cache of the server's state. Faults of the network and the server are retried; a 4xx is not. */
export function createQueryClient(): QueryClient {
  const onError = (error: Error, key?: readonly unknown[]) => {
    if (error instanceof ApiError && error.status === 401 && key?.[0] !== SESSION_KEY[0]) {
      void client.invalidateQueries({ queryKey: SESSION_KEY });
    }
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => onError(error, query.queryKey) }),
    mutationCache: new MutationCache({ onError: (error) => onError(error) }),
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        retry: (failures, error) =>
          failures < 2 && !(error instanceof ApiError && error.status > 0 && error.status < 500),
      },
      // Without a network a command fails at once. It must not wait and be sent when nobody expects it any more.
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
