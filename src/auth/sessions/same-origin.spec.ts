import { describe, expect, it } from '@jest/globals';
import { Forbidden } from '../../platform/errors/index.js';
import { assertFromConsole } from './same-origin.js';

const PUBLIC = 'https://pay.example.com';
const asked = (method: string, headers: Readonly<Record<string, string>>) => () =>
  assertFromConsole({ method, headers: { host: 'internal:3000', ...headers } }, PUBLIC);
const site = (value: string) => ({ 'sec-fetch-site': value });
const CONSOLE = { 'x-console': '1' };

describe('a request with the cookie', () => {
  it.each([
    ['GET', {}],
    ['HEAD', site('none')],
    ['OPTIONS', site('same-origin')],
    ['POST', { ...CONSOLE, ...site('same-origin') }],
    ['DELETE', { ...CONSOLE, origin: PUBLIC }],
    ['PATCH', { ...CONSOLE, origin: 'http://internal:3000' }],
    ['PUT', { ...CONSOLE, ...site('same-origin'), origin: PUBLIC }],
  ])('is from our page: %s %j', (method, headers) => {
    expect(asked(method, headers)).not.toThrow();
  });

  it.each([
    ['GET', site('cross-site')],
    ['GET', site('same-site')],
    ['HEAD', site('cross-site')],
    ['POST', {}],
    ['POST', CONSOLE],
    ['POST', site('same-origin')],
    ['POST', { origin: PUBLIC }],
    ['POST', { ...CONSOLE, ...site('none') }],
    ['POST', { ...CONSOLE, ...site('same-site'), origin: PUBLIC }],
    ['POST', { ...CONSOLE, ...site('same-origin'), origin: 'https://evil.example' }],
    ['POST', { ...CONSOLE, origin: 'https://evil.example' }],
    ['POST', { ...CONSOLE, origin: 'https://pay.example.com.evil.example' }],
    ['POST', { ...CONSOLE, origin: 'http://pay.example.com' }],
    ['POST', { ...CONSOLE, origin: 'null' }],
    ['get', { ...site('same-origin') }],
  ])('is from elsewhere: %s %j', (method, headers) => {
    expect(asked(method, headers)).toThrow(Forbidden);
  });
});
