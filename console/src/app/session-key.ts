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

/** All tabs of a browser have one session. A tab that changes it tells the others. */
let tabs: BroadcastChannel | undefined;

/** For the tab in which somebody signs in or out. */
export function changeSessionOfTabs(client: QueryClient, session: Session | null): void {
  changeSession(client, session);
  tabs?.postMessage(session);
}

/** Another tab's user is this tab's: no form of the one before stays here, to be sent under another's name. */
export function followOtherTabs(client: QueryClient): void {
  tabs = new BroadcastChannel('console-session');
  tabs.addEventListener('message', ({ data }: MessageEvent<Session | null>) => changeSession(client, data));
}
