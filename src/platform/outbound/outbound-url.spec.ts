import { describe, expect, it } from '@jest/globals';
import { HOSTILE_HOSTS } from '../../../test/support/hostile-hosts.js';
import { addressPolicy } from './address-policy.js';
import { checkOutboundUrl, type UrlCheck } from './outbound-url.js';

const production = addressPolicy({});
const development = addressPolicy({ allowLoopback: true });

describe('a webhook URL, at creation', () => {
  it.each([
    'https://partner.example/hooks?a=1',
    'https://partner.example:443/',
    'https://partner.example:1024',
    'HTTPS://Partner.Example:65535/x',
    'https://8.8.8.8/hooks',
    'https://[2606:4700:4700::1111]:8443/hooks',
    'https://bücher.example/hooks',
    `https://partner.example/${'a'.repeat(2048 - 24)}`,
    `https://${nameOf(253)}/`,
  ])('accepts %s', (text) => {
    expect(codeOf(checkOutboundUrl(text, production))).toBe('accepted');
  });

  it.each([
    ['', 'InvalidFormat'],
    ['partner.example/hooks', 'InvalidFormat'],
    ['//partner.example/hooks', 'InvalidFormat'],
    ['https:partner.example', 'InvalidFormat'],
    ['https:///partner.example', 'InvalidFormat'],
    ['https://', 'InvalidFormat'],
    ['https://partner.example:99999/', 'InvalidFormat'],
    ['https://256.256.256.256/', 'InvalidFormat'],
    ['https://[fe80::1%25eth0]/', 'InvalidFormat'],
    [' https://partner.example', 'InvalidFormat'],
    ['https://partner.example/a b', 'InvalidFormat'],
    ['https://partner.example/a\tb', 'InvalidFormat'],
    ['https://partner.example/a\r\nHost: x', 'InvalidFormat'],
    ['https://partner.example/\u0000', 'InvalidFormat'],
    ['https://partner.example/\u0085', 'InvalidFormat'],
    ['https://partner.example\\@10.0.0.1/', 'InvalidFormat'],
    [`https://partner.example/${'a'.repeat(2048 - 23)}`, 'TooLong'],
    [`https://${nameOf(254)}/`, 'NotAllowed'],
    ['http://partner.example/hooks', 'NotAllowed'],
    ['http://8.8.8.8/hooks', 'NotAllowed'],
    ['ftp://partner.example/hooks', 'NotAllowed'],
    ['ftp://8.8.8.8/hooks', 'NotAllowed'],
    ['https://partner.invalid/hooks', 'NotAllowed'],
    ['javascript://partner.example/%0aalert(1)', 'NotAllowed'],
    ['https://user@partner.example/', 'NotAllowed'],
    ['https://user:secret@partner.example/', 'NotAllowed'],
    ['https://@partner.example/', 'NotAllowed'],
    ['https://8.8.8.8@10.0.0.1/', 'NotAllowed'],
    ['https://partner.example:0/', 'NotAllowed'],
    ['https://partner.example:22/', 'NotAllowed'],
    ['https://partner.example:80/', 'NotAllowed'],
    ['https://partner.example:1023/', 'NotAllowed'],
  ])('refuses %j as %s', (text, code) => {
    expect(codeOf(checkOutboundUrl(text, production))).toBe(code);
  });

  it('knows at least 40 hostile hosts', () => {
    expect(new Set(HOSTILE_HOSTS).size).toBeGreaterThanOrEqual(40);
  });

  it.each(HOSTILE_HOSTS)('refuses the host %s, with and without a port, whatever its scheme', (host) => {
    for (const text of [`https://${host}/hooks`, `https://${host}:8443/hooks`, `http://${host}:8080/hooks`]) {
      expect(codeOf(checkOutboundUrl(text, production))).toBe('NotAllowed');
    }
  });

  it.each([
    'http://localhost:3001/hooks',
    'http://127.0.0.1:3001',
    'http://[::1]:3001',
    'http://app.localhost',
    'https://localhost',
  ])('accepts %s in development', (text) => {
    expect(codeOf(checkOutboundUrl(text, development))).toBe('accepted');
  });

  it.each([
    'http://partner.example',
    'http://10.0.0.1',
    'https://169.254.169.254',
    'http://localhost:22',
    'http://0.0.0.0:3001',
  ])('refuses %s in development too', (text) => {
    expect(codeOf(checkOutboundUrl(text, development))).toBe('NotAllowed');
  });

  it('takes http to an exempt network, and to names that may lead there, where the settings allow it', () => {
    const policy = addressPolicy({ allowedNetworks: ['10.1.0.0/16', '127.0.0.1'], allowHttp: true });
    for (const text of [
      'http://10.1.2.3/hooks',
      'http://hooks.partner.example/',
      'http://localhost:3001',
      'https://10.1.2.3',
    ]) {
      expect(codeOf(checkOutboundUrl(text, policy))).toBe('accepted');
    }
    for (const text of ['http://10.2.2.3/hooks', 'http://8.8.8.8/hooks', 'https://10.2.2.3', 'ftp://10.1.2.3/hooks']) {
      expect(codeOf(checkOutboundUrl(text, policy))).toBe('NotAllowed');
    }
  });

  it('says of an exempt address over http that the scheme is at fault, and of any other that the host is', () => {
    const policy = addressPolicy({ allowedNetworks: ['10.1.0.0/16', '::1'] });
    for (const text of ['http://10.1.2.3/', 'http://localhost:3001/']) {
      const check = checkOutboundUrl(text, policy);
      expect(check).toMatchObject({ ok: false, fault: { message: 'The URL must begin with https://.' } });
    }
    const host = 'The host must be a public domain name or a public address.';
    expect(checkOutboundUrl('http://10.2.2.3/', policy)).toMatchObject({ ok: false, fault: { message: host } });
  });
});

/** A public name of so many characters. */
function nameOf(length: number): string {
  return `${'a.'.repeat(length)}`.slice(0, length - 8) + '.example';
}

function codeOf(check: UrlCheck): string {
  return check.ok ? 'accepted' : check.fault.code;
}
