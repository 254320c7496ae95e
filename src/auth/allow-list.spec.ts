import { describe, expect, it } from '@jest/globals';
import { isInAllowList } from './allow-list.js';

const NETWORKS = ['203.0.113.0/24', '198.51.100.7/32', '2001:db8::/32'];

describe('an allow-list', () => {
  it.each(['203.0.113.0', '203.0.113.255', '198.51.100.7', '2001:db8::1', '::ffff:203.0.113.9'])(
    'admits %s, on every call',
    (address) => {
      expect([isInAllowList(NETWORKS, address), isInAllowList(NETWORKS, address)]).toEqual([true, true]);
    },
  );

  it.each(['203.0.114.0', '198.51.100.8', '2001:db9::1', '::ffff:198.51.100.8', '::1'])(
    'refuses %s, on every call',
    (address) => {
      expect([isInAllowList(NETWORKS, address), isInAllowList(NETWORKS, address)]).toEqual([false, false]);
    },
  );

  it('belongs to one key, whatever others allow', () => {
    expect(isInAllowList(['203.0.113.0/24'], '203.0.113.9')).toBe(true);
    expect(isInAllowList(['198.51.100.0/24'], '203.0.113.9')).toBe(false);
  });

  it('without a network admits nobody', () => {
    expect(isInAllowList([], '203.0.113.9')).toBe(false);
  });
});
