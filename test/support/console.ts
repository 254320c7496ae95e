import { expect } from '@jest/globals';
import { type Answer, call, FROM_PAGE } from './api.js';

export { FROM_PAGE };

/** Somebody signed in at the console. */
export interface SignedIn {
  /** As the browser sends it back. */
  readonly cookie: string;
  readonly setCookie: string;
  readonly data: any;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<any>;
}

/** Signs in at a service's console, as its page does. */
export async function signIn(base: string, credential: string): Promise<SignedIn> {
  const answer = await call(base, 'POST', '/console/session', { body: { credential }, headers: FROM_PAGE });
  expect(answer).toMatchObject({ status: 200 });
  const setCookie = answer.headers.get('set-cookie')!;
  return withCookie(base, setCookie, answer.body.data);
}

/** The same session at another instance. */
export function withCookie(base: string, setCookie: string, data?: unknown): SignedIn {
  const cookie = setCookie.split(';')[0]!;
  const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = FROM_PAGE) =>
    call(base, method, path, { body, headers: { cookie, ...headers } });
  return {
    cookie,
    setCookie,
    data,
    request,
    get: async (path) => {
      const { status, body } = await request('GET', path);
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
      return body.data;
    },
  };
}
