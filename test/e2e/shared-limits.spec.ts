import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, type Credentials, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { BEHIND_PROXY, EntryPointAttacks } from '../support/entry-point-attacks.js';
import { eventually } from '../support/eventually.js';
import { ask, offerAll, pace } from '../support/limit-load.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

/** Limits and lock-outs hold for the service, however many processes serve (ADR 0020). */

const RATE = 100;
const LOGINS = 10;
const LIMITS = {
  ...BEHIND_PROXY,
  ROLE: 'api',
  RATE_LIMIT_PER_SECOND: `${RATE}`,
  LOGIN_RATE_LIMIT_PER_SECOND: `${LOGINS}`,
};

/** Four seconds of five times the limit. */
const OFFER = { seconds: 4, perSecond: 5 * RATE };

let database: TestDatabase;
let services: Service[];
let operator: OperatorApi;
let partner: TestPartner;

beforeAll(async () => {
  database = await createDatabase();
  const first = await startService(database.url, LIMITS);
  services = [first, ...(await Promise.all([1, 2].map(() => startService(database.url, LIMITS))))];
  operator = new OperatorApi(first.url);
  partner = await operator.partner(['10.00']);
  await allHeard(services);
}, 60_000);

afterAll(async () => {
  await Promise.all((services ?? []).map((service) => service.stop()));
  await database?.drop();
});

/** Waits until each process grants a whole second's tokens, and the others see what it takes: they are connected. */
async function allHeard(some: readonly Service[]): Promise<void> {
  for (const { url } of some) {
    await eventually(async () => {
      const session = await sessionOf(await freshKey());
      if ((await leftAt(session, url)) < RATE - 1) return false;
      await Promise.all(Array.from({ length: 50 }, () => ask(session, url)));
      const missed = async () => {
        const left = await Promise.all(some.map((one) => leftAt(session, one.url)));
        return left.every((tokens) => tokens < RATE - 5);
      };
      return eventually(missed, { within: 150, every: 30 }).catch(() => false);
    });
  }
}

/** What remains by a process's answer, after one request. */
async function leftAt(session: PartnerApi, url: string): Promise<number> {
  const { headers } = await ask(session, url);
  return Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
}

const freshKey = (): Promise<Credentials> => operator.post(`/accounts/${partner.accounts[0]}/access-keys`, {});
let addresses = 0;
const newAddress = () => `198.51.100.${++addresses}`;

/** A session whose login counts against no other address. */
async function sessionOf(credentials: Credentials): Promise<PartnerApi> {
  const answer = await call(services[0]!.url, 'POST', '/partners-int/login', {
    body: credentials,
    headers: { 'x-forwarded-for': newAddress() },
  });
  return PartnerApi.withToken(services[0]!.url, answer.body.data.token as string);
}

const urls = () => services.map(({ url }) => url);

describe('the limit of an access key', () => {
  it.each([
    ['two processes, evenly', () => [0, 1]],
    ['three processes, evenly', () => [0, 1, 2]],
    ['three processes, nine of ten at one', () => [0, 0, 0, 0, 1, 0, 0, 0, 0, 2]],
    ['one process of three', () => [2]],
  ])('holds within a tenth for %s', async (_, turns) => {
    const targets = turns().map((i) => urls()[i]!);
    const offered = await offerAll(await sessionOf(await freshKey()), targets, RATE, OFFER);
    expect(offered.refused).toBeGreaterThan(offered.accepted / 4);
    expect(offered.accepted / offered.allowed).toBeGreaterThan(0.9);
    expect(offered.accepted / offered.allowed).toBeLessThan(1.1);
  });

  it('belongs to one process again when the other is killed', async () => {
    const extra = await startService(database.url, LIMITS);
    await allHeard([...services, extra]);
    const session = await sessionOf(await freshKey());
    const load = offerAll(session, urls(), RATE, OFFER);
    await extra.kill('SIGKILL');
    const offered = await load;
    expect(offered.accepted / offered.allowed).toBeGreaterThan(0.9);
    expect(offered.accepted / offered.allowed).toBeLessThan(1.1);
  }, 30_000);

  it('is not exceeded while processes are disconnected: each grants its share', async () => {
    const session = await sessionOf(await freshKey());
    let ended = false;
    const deafen = (async () => {
      while (!ended) {
        await database.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and application_name = 'payments news'`,
        );
        await new Promise((resume) => setTimeout(resume, 50));
      }
    })();
    const offered = await offerAll(session, urls(), RATE, OFFER);
    ended = true;
    await deafen;
    expect(offered.accepted / offered.allowed).toBeLessThan(1.1);
    expect(offered.accepted / offered.allowed).toBeGreaterThan(0.5);
    await allHeard(services);
  }, 30_000);
});

describe('the limit of logins', () => {
  it('holds within a tenth for three processes', async () => {
    const from = newAddress();
    const began = performance.now();
    const counts = { accepted: 0, refused: 0 };
    const turn = pace((5 * LOGINS) / urls().length);
    for (let i = 0; performance.now() - began < 4_000; i++) {
      await turn();
      const answers = await Promise.all(
        urls().map((url) =>
          call(url, 'POST', '/partners-int/login', {
            body: { accessKey: `guess-${i}`, secret: 'sk_guess' },
            headers: { 'x-forwarded-for': from },
          }),
        ),
      );
      for (const { status } of answers) counts[status === 429 ? 'refused' : 'accepted'] += 1;
    }
    const allowed = LOGINS * (1 + (performance.now() - began) / 1000);
    expect(counts.refused).toBeGreaterThan(counts.accepted);
    expect(counts.accepted / allowed).toBeGreaterThan(0.9);
    expect(counts.accepted / allowed).toBeLessThan(1.1);
  });
});

describe('a lock-out', () => {
  let attacks: EntryPointAttacks[];
  beforeAll(async () => {
    const first = await EntryPointAttacks.on(services[0]!);
    attacks = services.map((service) => first.at(service));
  });

  it.each(['guessOperator', 'guessAuditor', 'guessSignIn'] as const)(
    'that began at one process holds at the others within a second (%s)',
    async (guess) => {
      const here = newAddress();
      expect(await attacks[0]!.checked(10, () => attacks[0]![guess](here))).toBe(10);
      for (const elsewhere of attacks.slice(1)) {
        await eventually(async () => (await elsewhere[guess](here)).status === 429, { within: 1_000, every: 20 });
      }
    },
  );

  it('is reached by failures of all processes together', async () => {
    const { accessKey } = attacks[0]!.partner.credentials;
    const here = newAddress();
    const seen = await attacks[0]!.checked(60, (i) => attacks[i % 3]!.logIn(here, accessKey));
    expect(seen).toBeGreaterThanOrEqual(10);
    expect(seen).toBeLessThanOrEqual(11);
  });

  it('holds at a process that is started later, and admits credentials that were valid elsewhere', async () => {
    const here = newAddress();
    expect((await attacks[1]!.asOperator(here)).status).toBe(200);
    await attacks[0]!.checked(12, () => attacks[0]!.guessOperator(here));
    const late = await startService(database.url, LIMITS);
    try {
      const there = attacks[0]!.at(late);
      await eventually(async () => (await there.guessOperator(here)).status === 429, { within: 1_000, every: 20 });
      for (const attack of [...attacks, there]) {
        await eventually(async () => (await attack.asOperator(here, ADMIN_TOKEN)).status === 200, { within: 1_000 });
      }
    } finally {
      await late.stop();
    }
  });

  it('ends everywhere with the success that takes its failures back', async () => {
    const here = newAddress();
    const wrong = `${attacks[0]!.auditor.token.slice(0, -4)}AAAA`;
    expect((await attacks[0]!.asAuditor(here)).status).toBe(200);
    await attacks[0]!.checked(10, () => attacks[0]!.asAuditor(here, wrong));
    await eventually(async () => (await attacks[1]!.asAuditor(here, wrong)).status === 429, {
      within: 1_000,
      every: 20,
    });
    expect((await attacks[0]!.asAuditor(here)).status).toBe(200);
    await eventually(async () => (await attacks[1]!.asAuditor(here, wrong)).status === 401, {
      within: 1_000,
      every: 20,
    });
  });
});
