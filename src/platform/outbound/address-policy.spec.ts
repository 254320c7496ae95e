import { describe, expect, it } from '@jest/globals';
import { addressPolicy, InvalidNetwork, isAllowedAddress } from './address-policy.js';

const production = addressPolicy({});

describe('the address rule', () => {
  it.each(['1.1.1.1', '8.8.8.8', '198.20.0.1', '172.32.0.1', '2606:4700:4700::1111', '3000::1', '::ffff:8.8.8.8'])(
    'lets the public address %s pass, over https only',
    (ip) => {
      expect(isAllowedAddress(ip, production)).toBe(true);
      expect(isAllowedAddress(ip, addressPolicy({ allowHttp: true, allowLoopback: true }), 'http:')).toBe(false);
    },
  );

  it.each([
    '4000::1', // not allocated, which is not public
    '::8.8.8.8', // IPv4-compatible, deprecated
    '2606:4700:4700::1111%eth0',
    '0177.0.0.1',
    '8.8.8',
    'partner.example',
    '',
  ])('refuses "%s"', (ip) => {
    expect(isAllowedAddress(ip, production)).toBe(false);
  });

  it('exempts a network, over http only where that is allowed too', () => {
    const exempt = addressPolicy({ allowedNetworks: ['10.1.0.0/16', ' fd12::/16', '192.168.0.7', 'fd14::7'] });
    const http = addressPolicy({ allowedNetworks: ['10.1.0.0/16'], allowHttp: true });
    for (const ip of ['10.1.255.255', '::ffff:10.1.0.1', 'fd12::9', '192.168.0.7', 'fd14::7']) {
      expect(isAllowedAddress(ip, exempt)).toBe(true);
      expect(isAllowedAddress(ip, exempt, 'http:')).toBe(false);
    }
    for (const ip of ['10.2.0.1', 'fd13::9', '192.168.0.8', 'fd14::8', '127.0.0.1']) {
      expect(isAllowedAddress(ip, exempt)).toBe(false);
    }
    expect(isAllowedAddress('10.1.0.1', http, 'http:')).toBe(true);
    expect(isAllowedAddress('10.2.0.1', http, 'http:')).toBe(false);
  });

  it('relaxes loopback, and nothing else, in development', () => {
    const development = addressPolicy({ allowLoopback: true });
    for (const ip of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      expect(isAllowedAddress(ip, development, 'http:')).toBe(true);
      expect(isAllowedAddress(ip, production)).toBe(false);
    }
    for (const ip of ['10.0.0.1', '169.254.169.254', '0.0.0.0', '::']) {
      expect(isAllowedAddress(ip, development)).toBe(false);
    }
  });

  it.each([
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/',
    '10.0.0/8',
    'partner.example',
    '10.0.0.0/8/8',
    '',
    'fe80::1%0/10',
  ])('names "%s" as no network', (text) => {
    expect(() => addressPolicy({ allowedNetworks: [text] })).toThrow(InvalidNetwork);
  });
});
