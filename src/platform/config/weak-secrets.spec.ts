import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { readSettings } from './config.js';
import { ConfigurationError } from './environment.js';

const random = (bytes: number) => randomBytes(bytes).toString('base64');
const ed25519 = () => generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
const GOOD = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://app:Zx8kQv2mN4tR7wYb@db.internal:5432/ledger',
  PIX_RAIL: 'sandbox',
  PUBLIC_URL: 'https://pay.example.com',
  ADMIN_TOKEN: `ana:${randomBytes(24).toString('base64url')},rui:${randomBytes(24).toString('hex')}`,
  JWT_SECRET: random(36),
  KEY_PEPPER: random(32),
  MASTER_KEY: random(32),
  CHECKPOINT_SIGNING_KEY: ed25519().toString('base64'),
  PAYLOAD_SIGNING_KEY: ed25519().toString('base64'),
};

/** What production mode says of the settings, a line a problem. */
function problems(changes: Record<string, string | undefined>): readonly string[] {
  try {
    readSettings({ ...GOOD, ...changes });
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
}

const counted = Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('base64');
const half = randomBytes(16);
const repeated = Buffer.concat([half, half]).toString('base64');

describe('production mode', () => {
  it('starts with secrets that are random', () => {
    expect(problems({})).toEqual([]);
    for (let i = 0; i < 100; i++) {
      const made = { JWT_SECRET: random(36), KEY_PEPPER: random(32), MASTER_KEY: random(32), ADMIN_TOKEN: random(24) };
      expect(problems(made)).toEqual([]);
    }
  });

  it('starts without a password in DATABASE_URL: it may come from elsewhere', () => {
    expect(problems({ DATABASE_URL: 'postgres://app@db.internal/ledger' })).toEqual([]);
  });

  it('starts with a password that is a parameter, and takes it for the one that counts, as pg does', () => {
    expect(problems({ DATABASE_URL: 'postgres://app@db/ledger?password=Zx8kQv2mN4tR7wYb' })).toEqual([]);
    expect(problems({ DATABASE_URL: 'postgres://app:app@db/ledger?password=Zx8kQv2mN4tR7wYb' })).toEqual([]);
    expect(problems({ DATABASE_URL: 'postgres://app:Zx8kQv2mN4tR7wYb@db/ledger?password=' })).toEqual([]);
  });

  it('starts with a password in DATABASE_URL that has a % in it, and looks for words there too', () => {
    expect(problems({ DATABASE_URL: 'postgres://app:Zx8%Qv2mN4tR7wYb%@db.internal/ledger' })).toEqual([]);
    expect(problems({ DATABASE_URL: 'postgres://app:100%password%@db/ledger' })).toEqual([
      expect.stringContaining('DATABASE_URL: its password must not be a default'),
    ]);
  });

  it.each<[string, string, string]>([
    ['ADMIN_TOKEN', 'short', 'at least 24 characters'],
    ['ADMIN_TOKEN', 'a'.repeat(40), 'repeats itself'],
    ['ADMIN_TOKEN', 'changeme-changeme-changeme-changeme', 'made of words'],
    ['ADMIN_TOKEN', 'test-operator-token-of-24-and-more', 'made of words'],
    ['ADMIN_TOKEN', `ana:${'Zx8kQv2mN4tR7wYbC3dF6gHj'},rui:Zx8kQv2mN4tR7wYbC3dF6gHj`, 'two names'],
    ['ADMIN_TOKEN', 'ana:Zx8kQv2mN4tR7wYbC3dF6gHj,rui:short', 'at least 24 characters'],
    ['JWT_SECRET', 'short', 'at least 32 characters'],
    ['JWT_SECRET', 'x'.repeat(64), 'repeats itself'],
    ['JWT_SECRET', 'a test secret of more than thirty-two characters', 'made of words'],
    ['JWT_SECRET', 'default-default-default-default-default', 'made of words'],
    ['KEY_PEPPER', Buffer.alloc(32).toString('base64'), 'repeats itself'],
    ['KEY_PEPPER', Buffer.alloc(32, 1).toString('base64'), 'repeats itself'],
    ['KEY_PEPPER', counted, 'repeats itself'],
    ['KEY_PEPPER', Buffer.from('correct horse battery staple 123').toString('base64'), 'not text'],
    ['KEY_PEPPER', random(16), 'base64 of 32 bytes'],
    ['MASTER_KEY', Buffer.alloc(32, 255).toString('base64'), 'repeats itself'],
    ['MASTER_KEY', counted, 'repeats itself'],
    ['MASTER_KEY', random(64), 'base64 of 32 bytes'],
    ['MASTER_KEY', GOOD.KEY_PEPPER, 'the same as KEY_PEPPER'],
    ['CHECKPOINT_SIGNING_KEY', 'none', 'PKCS#8'],
    ['PAYLOAD_SIGNING_KEY', 'none', 'PKCS#8'],
    ['DATABASE_URL', 'postgres://payments:payments@db/payments', 'default'],
    ['DATABASE_URL', 'postgres://postgres:postgres@db/ledger', 'default'],
    ['DATABASE_URL', 'postgres://app:password@db/ledger', 'default'],
    ['DATABASE_URL', 'postgres://app:Zx8kQv2m@db/ledger', 'at least 12 characters'],
    ['DATABASE_URL', 'postgres://app@db/ledger?password=postgres', 'at least 12 characters'],
    ['DATABASE_URL', 'postgres://app@db/ledger?password=a-default-of-theirs', 'default'],
    ['DATABASE_URL', 'postgres://app:Zx8kQv2mN4tR7wYb@db/ledger?password=ledger', 'default'],
    ['DATABASE_URL', 'postgres://app@db/ledger?password=Zx8kQv2mN4tR7wYb&password=short', 'at least 12 characters'],
    ['DATABASE_URL', 'postgres://db/ledger?user=Zx8kQv2mN4tR7wYb&password=Zx8kQv2mN4tR7wYb', 'default'],
    ['MIGRATION_DATABASE_URL', 'postgres://owner:ledger@db/ledger', 'default'],
    ['PUBLIC_URL', 'http://pay.example.com', 'must be https'],
  ])('refuses %s=%s and says why', (name, value, why) => {
    const [problem, ...others] = problems({ [name]: value });
    expect(others).toEqual([]);
    expect(problem).toMatch(new RegExp(`^${name}: .*${why}`));
    // The message goes to a log: it must not carry what it is about.
    if (value.length > 8 && !name.endsWith('URL')) expect(problem).not.toContain(value);
  });

  it('refuses a token of the operator that is also the secret of the tokens', () => {
    const shared = randomBytes(30).toString('base64url');
    expect(problems({ ADMIN_TOKEN: shared, JWT_SECRET: shared })).toEqual([
      'JWT_SECRET: must not be the same as ADMIN_TOKEN',
    ]);
  });

  it('refuses a key whose sixteen bytes stand there twice', () => {
    expect(problems({ KEY_PEPPER: repeated })).toEqual([expect.stringMatching(/^KEY_PEPPER: repeats itself/)]);
  });

  it.each(Object.keys(GOOD).filter((name) => name !== 'NODE_ENV'))('refuses to start without %s', (name) => {
    expect(problems({ [name]: undefined })).toContainEqual(expect.stringMatching(new RegExp(`^${name}: must be`)));
  });

  it('does not mind in development', () => {
    expect(problems({ NODE_ENV: 'development', JWT_SECRET: 'a'.repeat(32), ADMIN_TOKEN: 'test' })).toEqual([]);
  });
});
