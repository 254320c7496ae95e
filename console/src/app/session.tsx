import { Toast } from '@base-ui/react/toast';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef } from 'react';
import { answer, api, FROM_CONSOLE } from '../api/client.js';
import { ApiError } from '../api/errors.js';
import type { Session } from '../api/views.js';
import { Failure } from '../ui/states.js';
import { SignInPage } from '../pages/sign-in-page.js';
import { changeSessionOfTabs, SESSION_KEY } from './session-key.js';

interface SignedIn {
  readonly session: Session;
  /** Operators make changes. Auditors see no button for one, and the service refuses them. */
  readonly mayChange: boolean;
  readonly signOut: () => Promise<void>;
}

const SessionContext = createContext<SignedIn | null>(null);

/** Shows its children to a signed-in user, and the sign-in form to anybody else, at the same URL. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: SESSION_KEY,
    queryFn: () => answer(api.GET('/console/session')).catch(nobody),
    refetchInterval: 60_000,
    staleTime: 30_000,
  });
  const signed = useMemo<SignedIn | null>(
    () =>
      data
        ? {
            session: data,
            mayChange: data.role === 'operator',
            signOut: async () => {
              await answer(api.DELETE('/console/session', { params: FROM_CONSOLE }));
              changeSessionOfTabs(client, null);
            },
          }
        : null,
    [data, client],
  );
  const user = data ? `${data.role} ${data.name}` : undefined;
  const { close } = Toast.useToastManager();
  const lastUser = useRef(user);
  useEffect(() => {
    if (user === undefined) return;
    // What the user before was told is not for another one.
    if (lastUser.current !== undefined && lastUser.current !== user) close();
    lastUser.current = user;
  }, [user, close]);
  if (isPending) return null;
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!signed) return <SignInPage />;
  // Another user's pages are begun anew, without the forms of the one before.
  return (
    <SessionContext key={user} value={signed}>
      {children}
    </SessionContext>
  );
}

/** Who is signed in. Only for components inside the gate. */
export function useSession(): SignedIn {
  const signed = useContext(SessionContext);
  if (!signed) throw new Error('useSession is used outside of SessionGate');
  return signed;
}

function nobody(error: unknown): null {
  if (error instanceof ApiError && error.status === 401) return null;
  throw error;
}
