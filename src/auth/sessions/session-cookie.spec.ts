import { expect, it } from '@jest/globals';
import { readSessionCookie, writeSessionCookie } from './session-cookie.js';

const [production, development] = [{ production: true }, { production: false }];

it.each<[string | undefined, string | undefined, string | undefined]>([
  [undefined, undefined, undefined],
  ['', undefined, undefined],
  ['__Host-console=a', 'a', undefined],
  ['x=1; __Host-console=a=b;y=2', 'a=b', undefined],
  ['console=a', undefined, 'a'],
  ['my-console=a; xconsole=b', undefined, undefined],
  ['__Host-console=; console=', undefined, undefined],
])('the cookie header %j names the session %j in production, and %j in development', (header, host, plain) => {
  expect([readSessionCookie(header, production), readSessionCookie(header, development)]).toEqual([host, plain]);
});

it('no script reads the cookie, no other site’s request carries it, and in production no plain http', () => {
  const attributes = 'Max-Age=60; Path=/; HttpOnly; SameSite=Strict';
  expect(writeSessionCookie('a', 60, production)).toBe(`__Host-console=a; ${attributes}; Secure`);
  expect(writeSessionCookie('a', 60, development)).toBe(`console=a; ${attributes}`);
});
