import { describe, expect, it } from '@jest/globals';
import { readSettings } from './config.js';

/** What is said about one setting. */
function told(setting: string, text: string): string {
  try {
    readSettings({ [setting]: text });
    return 'nothing';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('PUBLIC_URL', () => {
  it.each([
    'pay.example.com',
    'http:pay.example.com',
    'http:///pay',
    'ftp://pay.example.com',
    'http://pay.example.com?',
    'http://pay.example.com/#',
    'http://pay.example.com/a?b=c',
    'http://user@pay.example.com',
    'http://:hidden@pay.example.com',
    'http://user:hidden@pay.example.com',
    'http://pay.example\n.com',
    'http://pay.example.com/two words',
    'http:\\\\pay.example.com',
    'http://pay.example.com:99999',
  ])('is not %j, which is not repeated', (text) => {
    expect(told('PUBLIC_URL', text)).toBe(
      'PUBLIC_URL: must be an http or https address without user, query or fragment',
    );
  });

  it.each([
    ['https://pay.example.com/', 'https://pay.example.com'],
    [' http://127.0.0.1:3000 ', 'http://127.0.0.1:3000'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['https://example.com/a/@b/', 'https://example.com/a/@b'],
  ])('may be %j', (text, taken) => {
    expect(readSettings({ PUBLIC_URL: text }).publicUrl).toBe(taken);
  });
});

describe('NODE_ENV', () => {
  it.each(['production', ' production ', 'production\n'])('%j is production mode', (text) => {
    expect(told('NODE_ENV', text)).toContain('DATABASE_URL: must be set in production');
  });

  it.each(['Production', 'PRODUCTION', 'prod', 'productive'])('%j, which only resembles it, is refused', (text) => {
    expect(told('NODE_ENV', text)).toBe('NODE_ENV: must be production, in this spelling');
  });

  it.each(['', ' ', 'development', 'test', 'staging'])('%j is development mode', (text) => {
    expect(readSettings({ NODE_ENV: text }).production).toBe(false);
  });
});

describe('WEBHOOK_ALLOWED_NETWORKS', () => {
  it.each(['fe80::1%eth0', 'fe80::1%eth0/64', '10.0.0.0/8,fe80::1%1'])('has no zones: %j', (text) => {
    expect(told('WEBHOOK_ALLOWED_NETWORKS', text)).toBe(
      'WEBHOOK_ALLOWED_NETWORKS: must be addresses or networks (CIDR) without zones, separated by commas',
    );
  });
});

describe('HOST', () => {
  it.each(['two words', 'http://127.0.0.1', '127.0.0.1:3000', 'a/b'])('is not %j', (text) => {
    expect(told('HOST', text)).toBe('HOST: must be an address or the name of a host');
  });

  it.each(['fe80::1%eth0', '::1%lo', '256.1.1.1'])('%s makes no URL, so PUBLIC_URL must be set', (text) => {
    expect(told('HOST', text)).toBe('PUBLIC_URL: must be set where HOST makes no URL, as with a zone');
    const publicUrl = 'http://pay.example.com';
    expect(readSettings({ HOST: text, PUBLIC_URL: publicUrl }).publicUrl).toBe(publicUrl);
  });

  it('with a zone leaves production to say what is missing', () => {
    expect(() => readSettings({ NODE_ENV: 'production', HOST: 'fe80::1%eth0' })).toThrow(
      'PUBLIC_URL: must be set in production',
    );
  });

  it.each(['127.0.0.1', '::', 'localhost', 'pay-1.example.com'])('may be %j', (text) => {
    expect(readSettings({ HOST: text }).host).toBe(text);
  });
});
