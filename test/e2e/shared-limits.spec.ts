import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, call, type Credentials, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { BEHIND_PROXY, EntryPointAttacks } from '../support/entry-point-attacks.js';
import { eventually } from '../support/eventually.js';
import { ask, inTurn, type Offered, offerAll } from '../support/limit-load.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

/** Limits and lock-outs hold for the service, however many processes serve (ADR 0020). */

const RATE = 50;
const LOGINS = 10;
const LIMITS = {
  ...BEHIND_PROXY,
  ROLE: 'api',
  RATE_LIMIT_PER_SECOND: `${RATE}`,
  LOGIN_RATE_LIMIT_PER_SECOND: `${LOGINS}`,
};

const fits = ({ accepted, allowed }: Offered) => accepted < 1.1 * allowed;
/**
 * Three seconds of five times the limit, in requests so few that a busy machine reaches the limit too. What processes
 * grant while they do not hear of each other is taken off later: after a pause of the machine the load goes on until
 * that is done. Without one count it never is.
 */
const OFFER = { seconds: 3, items: 5, perSecond: RATE, until: fits };

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
  await allHeard(urls());
}, 60_000);

afterAll(async () => {
  await Promise.all((services ?? []).map((service) => service.stop()));
  await database?.drop();
});

/** Waits until each process grants all of the limit, and the others take off once what it grants. */
async function allHeard(some: readonly string[]): Promise<void> {
  for (const url of some) await eventually(() => isCountedOnce(url, some));
}

/** A full bucket grants more than it holds: for so many seconds there is nothing anywhere, which nobody can miss. */
const OWED_SECONDS = 4;

/**
 * Whether what one process grants is taken off at each, and there is no more to wait for than that. However slow the
 * machine, time only makes the wait shorter.
 */
async function isCountedOnce(at: string, some: readonly string[]): Promise<boolean> {
  const session = await sessionOf(await freshKey());
  expect((await ask(session, at, (1 + OWED_SECONDS) * RATE)).status).toBe(400);
  const isOwed = async () => {
    const left = await Promise.all(some.map((url) => leftAt(session, url)));
    return left.every(({ tokens, seconds }) => tokens === 0 && seconds <= OWED_SECONDS + 1);
  };
  return eventually(isOwed, { within: 500, every: 30 }).catch(() => false);
}

/** What remains by a process's answer, after one request, and how long there is nothing. */
async function leftAt(session: PartnerApi, url: string): Promise<{ tokens: number; seconds: number }> {
  const { headers } = await ask(session, url);
  const [, tokens, seconds] = /r=(\d+);t=(\d+)/.exec(headers.get('ratelimit')!)!.map(Number);
  return { tokens: tokens!, seconds: seconds! };
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
    const offered = await offerAll(inTurn(await sessionOf(await freshKey()), targets, OFFER.items), RATE, OFFER);
    expect(offered.refused).toBeGreaterThan(0);
    expect(offered.accepted / offered.allowed).toBeLessThan(1.1);
    await allHeard([...new Set(targets)]);
  });

  it('belongs to one process again when the other is killed', async () => {
    const extra = await startService(database.url, LIMITS);
    await allHeard([...urls(), extra.url]);
    const session = await sessionOf(await freshKey());
    const load = offerAll(inTurn(session, urls(), OFFER.items), RATE, OFFER);
    await extra.kill('SIGKILL');
    const offered = await load;
    expect(offered.accepted / offered.allowed).toBeLessThan(1.1);
    await allHeard(urls());
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
    const offered = await offerAll(inTurn(session, urls(), OFFER.items), RATE, OFFER);
    ended = true;
    await deafen;
    expect(offered.accepted / offered.allowed).toBeLessThan(1.1);
    // Three thirds of a second's worth at once, and more as time goes by.
    expect(offered.accepted).toBeGreaterThan(RATE / 2);
    await allHeard(urls());
  }, 30_000);
});

describe('the limit of logins', () => {
  const guess = (from: string, i: number) => {
    const there = urls()[i % urls().length]!;
    const body = { accessKey: `guess-${i}`, secret: 'sk_guess' };
    return call(there, 'POST', '/partners-int/login', { body, headers: { 'x-forwarded-for': from } });
  };

  it('holds within a tenth for three processes', async () => {
    const from = newAddress();
    const { accepted, refused, allowed } = await offerAll((i) => guess(from, i), LOGINS, {
      ...OFFER,
      items: 1,
      perSecond: 5 * LOGINS,
    });
    expect(refused).toBeGreaterThan(0);
    expect(accepted / allowed).toBeLessThan(1.1);
    // A second's worth is granted at once, wherever it is asked for: nothing is taken off twice.
    await eventually(async () => {
      const fresh = newAddress();
      for (let i = 0; i < LOGINS; i++) if ((await guess(fresh, i)).status === 429) return false;
      return true;
    });
  });
});

describe('a lock-out', () => {
  let attacks: EntryPointAttacks[];
  beforeAll(async () => {
    const first = await EntryPointAttacks.on(services[0]!);
    attacks = services.map((service) => first.at(service));
  });

  /** It began elsewhere and holds there: with fewer guesses than begin one, which they do too. */
  const holdsAt = async (guess: () => Promise<Answer>) => {
    let guesses = 0;
    await eventually(async () => ++guesses && (await guess()).status === 429, { every: 500 });
    expect(guesses).toBeLessThan(10);
  };

  it.each(['guessOperator', 'guessAuditor', 'guessSignIn'] as const)(
    'that began at one process holds at the others (%s)',
    async (guess) => {
      const here = newAddress();
      expect(await attacks[0]!.checked(10, () => attacks[0]![guess](here))).toBe(10);
      for (const elsewhere of attacks.slice(1)) await holdsAt(() => elsewhere[guess](here));
    },
  );

  it('is reached by failures of all processes together', async () => {
    const { accessKey } = attacks[0]!.partner.credentials;
    const here = newAddress();
    const seen = await attacks[0]!.checked(60, (i) => attacks[i % 3]!.logIn(here, accessKey));
    expect(seen).toBeGreaterThanOrEqual(10);
    expect(seen).toBeLessThanOrEqual(11);
  });

  it('ends everywhere with the success that takes its failures back', async () => {
    const here = newAddress();
    const wrong = `${attacks[0]!.auditor.token.slice(0, -4)}AAAA`;
    expect((await attacks[0]!.asAuditor(here)).status).toBe(200);
    await attacks[0]!.checked(10, () => attacks[0]!.asAuditor(here, wrong));
    await holdsAt(() => attacks[1]!.asAuditor(here, wrong));
    expect((await attacks[0]!.asAuditor(here)).status).toBe(200);
    await eventually(async () => (await attacks[1]!.asAuditor(here, wrong)).status === 401);
  });

  describe('at a process that is started later', () => {
    const guessed = newAddress();
    const forgotten = [newAddress(), newAddress()];
    const wrong = () => `${attacks[0]!.auditor.token.slice(0, -4)}AAAA`;
    let late: Service;
    let there: EntryPointAttacks;

    beforeAll(async () => {
      expect((await attacks[1]!.asOperator(guessed)).status).toBe(200);
      await attacks[0]!.checked(12, () => attacks[0]!.guessOperator(guessed));
      for (const here of forgotten) {
        expect((await attacks[0]!.asAuditor(here)).status).toBe(200);
        expect(await attacks[0]!.checked(10, () => attacks[0]!.asAuditor(here, wrong()))).toBe(10);
      }
      late = await startService(database.url, LIMITS);
      there = attacks[0]!.at(late);
    });
    afterAll(() => late?.stop());

    it('holds, and admits credentials that were valid elsewhere', async () => {
      await holdsAt(() => there.guessOperator(guessed));
      for (const attack of [...attacks, there]) {
        await eventually(async () => (await attack.asOperator(guessed, ADMIN_TOKEN)).status === 200);
      }
    });

    it.each([
      ['there by a success elsewhere', 0],
      ['elsewhere by a success there', 1],
    ])('ends %s', async (_, i) => {
      const here = forgotten[i]!;
      await holdsAt(() => there.asAuditor(here, wrong()));
      const [right, other] = i === 0 ? [attacks[0]!, there] : [there, attacks[0]!];
      expect((await right.asAuditor(here)).status).toBe(200);
      await eventually(async () => (await other.asAuditor(here, wrong())).status === 401);
    });
  });
});
