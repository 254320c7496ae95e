import { describe, expect, it } from '@jest/globals';
import { proxies } from './parsers.js';
import { configurationWarnings } from './warnings.js';

const behindNobody = {
  production: true,
  host: '0.0.0.0',
  publicUrl: 'https://pay.example.com',
  trustedProxies: [] as string[],
};

describe('warnings about settings', () => {
  it('are given where a proxy stands in front that is not trusted', () => {
    expect(configurationWarnings(behindNobody)).toEqual([expect.stringMatching(/^TRUSTED_PROXIES: /)]);
  });

  it.each([
    ['in development', { production: false }],
    ['where proxies are trusted', { trustedProxies: ['10.0.0.0/8'] }],
    ['over http', { publicUrl: 'http://127.0.0.1:3000' }],
    ['on loopback', { publicUrl: 'https://localhost:3000' }],
    ['on this host', { host: 'pay.example.com' }],
  ])('are none %s', (_, changes) => {
    expect(configurationWarnings({ ...behindNobody, ...changes })).toEqual([]);
  });
});

describe('TRUSTED_PROXIES', () => {
  it.each(['0.0.0.0/0', '10.0.0.0/8, ::/0', '0.0.0.0/00', '::/000'])('may not be everybody: %s', (text) => {
    expect(() => proxies(text)).toThrow('must not have the prefix 0, which is everybody');
    expect(proxies('10.0.0.0/8, ::1')).toEqual(['10.0.0.0/8', '::1/128']);
  });
});
