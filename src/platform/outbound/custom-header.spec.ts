import { describe, expect, it } from '@jest/globals';
import { customHeader, customHeaderFaults } from './custom-header.js';

describe('the custom header', () => {
  it.each([
    ['Authorization', 'Bearer abc'],
    ['X-Api-Key', 'a'.repeat(1024)],
    ['x'.repeat(256), 'a'],
    ["x!#$%&'*+.^_`|~9", ' !~ '],
    ['hostname', 'contents'],
    [undefined, undefined],
    [null, null],
    ['', ''],
  ])('accepts %s', (name, value) => {
    expect(customHeaderFaults(name, value)).toEqual([]);
  });

  it.each([
    'Host',
    'content-length',
    'CONTENT-TYPE',
    'content-encoding',
    'transfer-encoding',
    'Connection',
    'user-agent',
    'webhook-id',
    'Webhook-Signature',
    'webhook-anything',
    'webhook_signature',
    'keep-alive',
    'te',
    'trailer',
    'upgrade',
    'proxy-authorization',
    'proxy-connection',
    'expect',
    'date',
    'accept-encoding',
    'http2-settings',
  ])('does not let the client set %s', (name) => {
    expect(faults(name, 'x')).toEqual(['customHeaderName NotAllowed']);
  });

  it.each(['a b', 'a:b', 'a\r\nb', 'é', '(a)', 'a"', 7, {}])('refuses %j, which is no token', (name) => {
    expect(faults(name, 'x')).toEqual(['customHeaderName InvalidFormat']);
  });

  it.each(['a\r\nb: c', 'a\tb', 'é', '\u0000', '\u007f', 7, {}])('refuses the value %j', (value) => {
    expect(faults('x-key', value)).toEqual(['customHeaderValue InvalidFormat']);
  });

  it('bounds both', () => {
    expect(customHeaderFaults('a'.repeat(257), 'a'.repeat(1025))).toMatchObject([
      { path: 'customHeaderName', code: 'TooLong', info: { maximum: 256 } },
      { path: 'customHeaderValue', code: 'TooLong', info: { maximum: 1024 } },
    ]);
  });

  it('needs both or none', () => {
    expect(customHeaderFaults('x-key', undefined)).toMatchObject([
      { path: 'customHeaderValue', code: 'Required', info: { missingProperty: 'customHeaderValue' } },
    ]);
    expect(faults('x-key', '  ')).toEqual(['customHeaderValue Required']);
    expect(faults(null, 'x')).toEqual(['customHeaderName Required']);
    expect(faults('host', '')).toEqual(['customHeaderName NotAllowed', 'customHeaderValue Required']);
  });

  it('becomes a header, or none', () => {
    expect(customHeader('X-Key', 'v')).toEqual({ name: 'X-Key', value: 'v' });
    expect(customHeader('', '')).toBeUndefined();
    expect([customHeader('X-Key', ''), customHeader(null, 'v')]).toEqual([undefined, undefined]);
    expect(customHeader(null, null)).toBeUndefined();
  });
});

function faults(name: unknown, value: unknown): string[] {
  return customHeaderFaults(name, value).map(({ path, code }) => `${path} ${code}`);
}
