import type { QueryClient } from '@tanstack/react-query';
import type { Session } from '../api/views.js';

/** Where the session stands among what was read from the service. */
export const SESSION_KEY = ['session'] as const;

/** Who is signed in from now on, or nobody. Nothing stays of what whoever was signed in before has read. */
export function changeSession(client: QueryClient, session: Session | null): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] });
  client.setQueryData(SESSION_KEY, session);
}
