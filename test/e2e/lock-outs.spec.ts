import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PartnerApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { BEHIND_PROXY, EntryPointAttacks } from '../support/entry-point-attacks.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

/** Guesses at one entry point, from one network, lock out their caller and nobody else. */

let database: TestDatabase;
let service: Service;
let attack: EntryPointAttacks;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, BEHIND_PROXY);
  attack = await EntryPointAttacks.on(service);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

let addresses = 0;
const newAddress = () => `203.0.113.${++addresses}`;

describe('failures at one entry point', () => {
  it.each(['console', 'operator', 'auditor', 'login', '', ' '])(
    'do not lock another: ten logins with the access key %j',
    async (accessKey) => {
      const here = newAddress();
      await attack.checked(12, () => attack.logIn(here, accessKey || 'x'));
      expect((await attack.signIn(here, ADMIN_TOKEN)).status).toBe(200);
      expect((await attack.asOperator(here)).status).toBe(200);
      expect((await attack.asAuditor(here)).status).toBe(200);
      expect((await attack.logIn(here, attack.partner.credentials.accessKey)).status).toBe(401);
    },
  );

  it('do not lock another: guesses at operator tokens, and at auditors’ credentials', async () => {
    const here = newAddress();
    expect(await attack.checked(15, () => attack.guessOperator(here))).toBe(10);
    expect((await attack.asAuditor(here)).status).toBe(200);
    expect((await attack.signIn(here, ADMIN_TOKEN)).status).toBe(200);
    const there = newAddress();
    expect(await attack.checked(15, () => attack.guessAuditor(there))).toBe(10);
    expect((await attack.asOperator(there)).status).toBe(200);
    expect((await attack.signIn(there, attack.auditor.token)).status).toBe(200);
  });
});

describe.each([
  ['operator tokens', 'guessOperator', 'asOperator'],
  ["auditors' credentials", 'guessAuditor', 'asAuditor'],
] as const)('guesses at %s', (_, guess, right) => {
  it('are refused after ten from one address, with Retry-After; a valid one passes elsewhere', async () => {
    const here = newAddress();
    expect(await attack.checked(15, () => attack[guess](here))).toBe(10);
    const refused = await attack[guess](here);
    expect(refused).toMatchObject({ status: 429, body: { error: { name: 'TooManyRequests' } } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(25);
    // Never used from here: it may be a guess like the others.
    expect((await attack[right](here)).status).toBe(429);
    expect((await attack[right](newAddress())).status).toBe(200);
  });

  it('do not lock out one that was valid from there before', async () => {
    const here = newAddress();
    expect((await attack[right](here)).status).toBe(200);
    await attack.checked(15, () => attack[guess](here));
    expect((await attack[right](here)).status).toBe(200);
    expect((await attack[guess](here)).status).toBe(429);
  });

  it('from 24 addresses of one /64 count together, whichever way they are written', async () => {
    const network = `2001:db8:${(++addresses).toString(16)}:1`;
    const seen = await attack.checked(48, (i) => attack[guess](`${network}:${i % 24}::${i % 24}`));
    expect(seen).toBe(10);
    expect((await attack[right](`2001:db8:${addresses.toString(16)}:2::1`)).status).toBe(200);
  });
});

describe('failed logins', () => {
  it('from 24 addresses of one /64 count together', async () => {
    const { accessKey } = attack.partner.credentials;
    expect(await attack.checked(48, (i) => attack.logIn(`2001:db8:1:7:${i % 24}::1`, accessKey))).toBe(10);
    expect((await attack.logIn('2001:db8:1:8::1', accessKey, attack.partner.credentials.secret)).status).toBe(200);
  });

  it('that come at once learn no more than in turn, and lock out no longer', async () => {
    const here = newAddress();
    const { accessKey } = attack.partner.credentials;
    const guesses = await Promise.all(Array.from({ length: 100 }, () => attack.logIn(here, accessKey)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = await attack.logIn(here, accessKey);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(30);
  });
});

describe('a success', () => {
  it.each([
    ['an auditor signs in', (here: string) => attack.signIn(here, attack.auditor.token)],
    ['an operator signs in', (here: string) => attack.signIn(here, ADMIN_TOKEN)],
  ])('of another credential takes back no guess: %s', async (_, succeed) => {
    const here = newAddress();
    expect(await attack.checked(9, () => attack.guessSignIn(here))).toBe(9);
    expect((await succeed(here)).status).toBe(200);
    expect(await attack.checked(9, () => attack.guessSignIn(here))).toBe(1);
  });

  it("takes back the failures of its own credential: an auditor's slips of the pen", async () => {
    const here = newAddress();
    const wrong = `${attack.auditor.token.slice(0, -4)}AAAA`;
    for (let round = 0; round < 3; round++) {
      expect(await attack.checked(9, () => attack.asAuditor(here, wrong))).toBe(9);
      expect((await attack.asAuditor(here)).status).toBe(200);
    }
  });
});

describe('a credential of another kind', () => {
  it('is refused and not counted: a mix-up is no guess', async () => {
    const here = newAddress();
    const { token } = await PartnerApi.login(service.url, attack.partner.credentials);
    for (let i = 0; i < 12; i++) {
      expect((await attack.asOperator(here, token)).status).toBe(401);
      expect((await attack.asOperator(here, attack.auditor.token)).status).toBe(401);
      expect((await attack.asAuditor(here, ADMIN_TOKEN)).status).toBe(401);
    }
    expect((await attack.asOperator(here)).status).toBe(200);
    expect((await attack.asAuditor(here)).status).toBe(200);
  });
});
