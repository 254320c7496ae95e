import type { QueryClient } from '@tanstack/react-query';
import type { Session } from '../api/views.js';

/** The session's key in the query cache. */
export const SESSION_KEY = ['session'] as const;

/**
 * Changes the signed-in user, or signs out. The caches are emptied: they hold what the previous user read and sent. Who
 * is signed in may have been asked before the change: that answer is not waited for any more.
 */
export function changeSession(client: QueryClient, session: Session | null): void {
  void client.cancelQueries({ queryKey: SESSION_KEY });
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  client.getMutationCache().clear();
  client.setQueryData(SESSION_KEY, session);
}
