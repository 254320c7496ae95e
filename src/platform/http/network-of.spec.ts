import { describe, expect, it } from '@jest/globals';
import { networkOf } from './network-of.js';

describe('the network whose addresses count together', () => {
  it.each([
    ['an IPv4 address', '203.0.113.7', '203.0.113.7', true],
    ['its IPv6 form', '203.0.113.7', '::ffff:203.0.113.7', true],
    ['another IPv4 address', '203.0.113.7', '203.0.113.8', false],
    ['another address of one /64', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['an address of another /64', '2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ])('%s', (_, one, other, together) => {
    expect(networkOf(one) === networkOf(other)).toBe(together);
  });
});
