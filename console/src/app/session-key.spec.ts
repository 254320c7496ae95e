import { describe, expect, it } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import type { Session } from '../api/views.js';
import { changeSession, SESSION_KEY } from './session-key.js';

const session = (role: 'operator' | 'auditor') => ({ role, name: role }) as Session;

describe('whoever signs in', () => {
  it('finds nothing of what somebody else has read in this tab, whose session ended by itself', () => {
    const client = new QueryClient();
    changeSession(client, session('operator'));
    client.setQueryData(['partners'], ['Padaria Aurora']);
    client.setQueryData(SESSION_KEY, null);
    changeSession(client, session('auditor'));
    expect(client.getQueryData(['partners'])).toBeUndefined();
    expect(client.getQueryData(SESSION_KEY)).toEqual(session('auditor'));
    client.clear();
  });

  it('is told to whoever looks at the session already', () => {
    const client = new QueryClient();
    changeSession(client, null);
    const looking = client.getQueryCache().find({ queryKey: SESSION_KEY });
    changeSession(client, session('auditor'));
    expect(looking?.state.data).toEqual(session('auditor'));
    client.clear();
  });
});
