import type { IncomingMessage } from 'node:http';
import { expect, it } from '@jest/globals';
import { withoutPorts } from './forwarded-for.js';

it.each([
  ['203.0.113.7:51234', '203.0.113.7'],
  ['198.51.100.1:80, 203.0.113.7:51234 ,10.0.0.1', '198.51.100.1, 203.0.113.7 ,10.0.0.1'],
  ['[2001:db8::7]:51234, [2001:db8::8]', '2001:db8::7, 2001:db8::8'],
  ['2001:db8::7', '2001:db8::7'],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7'],
  ['unknown, 203.0.113.7:x', 'unknown, 203.0.113.7:x'],
])('of %s is %s', (forwarded, plain) => {
  const request = { headers: { 'x-forwarded-for': forwarded } };
  withoutPorts(request as unknown as IncomingMessage);
  expect(request.headers['x-forwarded-for']).toBe(plain);
});

it('of a long header takes no time', () => {
  for (const part of ['1', '1.', '1.1.1.1:1', '[', '[a:', '1.1.1.1:1 ', ' ']) {
    const request = { headers: { 'x-forwarded-for': `${part.repeat(16_384 / part.length)}x` } };
    const begun = performance.now();
    withoutPorts(request as unknown as IncomingMessage);
    expect(performance.now() - begun).toBeLessThan(100);
  }
});
