import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { testAuthority } from '../../../test/support/certificates.js';
import { readSettings } from './config.js';
import { ConfigurationError } from './environment.js';

const authority = testAuthority('PSP authority');
const issued = authority.issue('client');
// Settings are read without the space around them.
const client = { cert: issued.cert.trim(), key: issued.key.trim() };
const folder = mkdtempSync(join(tmpdir(), 'payments-bcb-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sound = {
  PIX_RAIL: 'bcb',
  PIX_KEY: '5f84a4c5-c5cb-4599-9f13-7eb4d419dacc',
  PUBLIC_URL: 'https://pay.example.com',
  BCB_BASE_URL: 'https://pix.example.com/api/v2/',
  BCB_TOKEN_URL: 'https://pix.example.com/oauth/token',
  BCB_CLIENT_ID: 'client',
  BCB_CLIENT_SECRET: 'secret',
  BCB_CLIENT_CERT: client.cert,
  BCB_CLIENT_KEY: client.key,
  BCB_WEBHOOK_TOKEN: 'a-token-of-32-characters-or-more',
};

function problems(environment: Record<string, string | undefined>): readonly string[] {
  try {
    readSettings(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe('the settings of the BCB rail', () => {
  it('are read, with defaults', () => {
    expect(readSettings(sound).bcb).toEqual({
      baseUrl: 'https://pix.example.com/api/v2',
      tokenUrl: 'https://pix.example.com/oauth/token',
      psp: 'pix.example.com',
      clientId: 'client',
      clientSecret: 'secret',
      clientCertificate: client.cert,
      clientKey: client.key,
      authorities: undefined,
      webhookUrl: 'https://pay.example.com',
      webhookToken: 'a-token-of-32-characters-or-more',
      timeoutMs: 3_000,
      queryDays: 5,
      lookUpLagMs: 300_000,
      identifiesPayer: false,
    });
  });

  it('name the PSP by its host, or as the operator does', () => {
    expect(readSettings({ ...sound, BCB_BASE_URL: 'https://b.example.com:8443/api' }).bcb!.psp).toBe(
      'b.example.com:8443',
    );
    expect(readSettings({ ...sound, BCB_PSP: 'conta-2' }).bcb!.psp).toBe('conta-2');
  });

  it('are not looked at under another rail', () => {
    expect(readSettings({ BCB_TIMEOUT_MS: 'soon' }).bcb).toBeUndefined();
  });

  it('take certificate and key from files, and from one line', () => {
    const file = join(folder, 'client.pem');
    writeFileSync(file, client.cert);
    const { bcb } = readSettings({
      ...sound,
      BCB_CLIENT_CERT: file,
      BCB_CLIENT_KEY: client.key.replaceAll('\n', '\\n'),
      BCB_CA: authority.cert,
    });
    expect(bcb).toMatchObject({
      clientCertificate: client.cert,
      clientKey: client.key,
      authorities: authority.cert.trim(),
    });
  });

  it('name everything that is missing at once', () => {
    expect(problems({ PIX_RAIL: 'bcb' })).toEqual([
      'PIX_KEY: must be set for PIX_RAIL=bcb: the key of the account at the PSP',
      'BCB_BASE_URL: must be set for PIX_RAIL=bcb',
      'BCB_TOKEN_URL: must be set for PIX_RAIL=bcb',
      'BCB_CLIENT_ID: must be set for PIX_RAIL=bcb',
      'BCB_CLIENT_SECRET: must be set for PIX_RAIL=bcb',
      'BCB_CLIENT_CERT: must be set for PIX_RAIL=bcb',
      'BCB_CLIENT_KEY: must be set for PIX_RAIL=bcb',
      'BCB_WEBHOOK_TOKEN: must be set for PIX_RAIL=bcb',
      'BCB_WEBHOOK_URL: must be set for PIX_RAIL=bcb where PUBLIC_URL is not https',
    ]);
  });

  it.each([
    ['BCB_BASE_URL', 'http://pix.example.com', 'must be an https address'],
    ['BCB_TOKEN_URL', 'pix.example.com', 'must be an https address'],
    ['BCB_WEBHOOK_URL', 'http://pay.example.com', 'must be an https address'],
    ['BCB_WEBHOOK_TOKEN', 'short', 'must be 32 to 128 letters, digits, _ or -'],
    ['BCB_CLIENT_CERT', '/no/such/file', 'must be certificates as PEM, or the path of a file of them'],
    ['BCB_CLIENT_CERT', client.key, 'must be certificates as PEM, or the path of a file of them'],
    ['BCB_CLIENT_KEY', client.cert, 'must be a private key as PEM without a passphrase, or the path of a file of one'],
    ['BCB_CLIENT_KEY', authority.key, 'is not the key of BCB_CLIENT_CERT'],
    ['BCB_CA', 'PSP', 'must be certificates as PEM, or the path of a file of them'],
    ['BCB_TIMEOUT_MS', '10000', 'must be a whole number from 100 to 9000'],
    ['BCB_LOOKUP_LAG_SECONDS', '0', 'must be a whole number from 1 to 1800'],
    ['BCB_PSP', 'conta de Ana', 'must be 1 to 100 letters, digits, ., :, _ or -'],
    ['BCB_QUERY_DAYS', '0', 'must be a whole number from 1 to 90'],
    ['BCB_IDENTIFIES_PAYER', 'perhaps', 'must be true or false'],
  ])('%s refuses %s', (name, value, rule) => {
    expect(problems({ ...sound, [name]: value })).toEqual([`${name}: ${rule}`]);
  });

  it('refuse a certificate that has run out', () => {
    const old = testAuthority('old', -10).issue('client');
    expect(problems({ ...sound, BCB_CLIENT_CERT: old.cert, BCB_CLIENT_KEY: old.key })).toEqual([
      expect.stringMatching(/^BCB_CLIENT_CERT: the certificate is valid until 20\S+Z only$/),
    ]);
  });
});
