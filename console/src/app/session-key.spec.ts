import { describe, expect, it } from '@jest/globals';
import { QueryClient } from '@tanstack/react-query';
import type { Session } from '../api/views.js';
import { changeSession, SESSION_KEY } from './session-key.js';

const session = (role: 'operator' | 'auditor') => ({ role, name: role }) as Session;

describe('a new session', () => {
  it('finds nothing that the user of an expired session read or sent in this tab', () => {
    const client = new QueryClient();
    changeSession(client, session('operator'));
    client.setQueryData(['partners'], ['Padaria Aurora']);
    client.getMutationCache().build(client, {});
    client.setQueryData(SESSION_KEY, null);
    changeSession(client, session('auditor'));
    expect(client.getMutationCache().getAll()).toEqual([]);
    expect(client.getQueryData(['partners'])).toBeUndefined();
    expect(client.getQueryData(SESSION_KEY)).toEqual(session('auditor'));
    client.clear();
  });

  it('is not ended by an answer to what was asked before it', async () => {
    const client = new QueryClient();
    const answer = Promise.withResolvers<Session | null>();
    changeSession(client, null);
    const asked = client.fetchQuery({ queryKey: SESSION_KEY, queryFn: () => answer.promise });
    changeSession(client, session('operator'));
    answer.resolve(null);
    await asked;
    expect(client.getQueryData(SESSION_KEY)).toEqual(session('operator'));
    client.clear();
  });

  it('updates the queries that observe the session', () => {
    const client = new QueryClient();
    changeSession(client, null);
    const observed = client.getQueryCache().find({ queryKey: SESSION_KEY });
    changeSession(client, session('auditor'));
    expect(observed?.state.data).toEqual(session('auditor'));
    client.clear();
  });
});
