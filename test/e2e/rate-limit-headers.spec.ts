import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, call, type Credentials, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

/** `RateLimit` and `RateLimit-Policy` as draft-ietf-httpapi-ratelimit-headers-11 has them. */

const REQUESTS = 20;
const LOGINS = 10;

let database: TestDatabase;
let service: Service;
let unlimited: Service;
let operator: OperatorApi;
let partner: TestPartner;

beforeAll(async () => {
  database = await createDatabase();
  const limits = {
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT_PER_SECOND: `${REQUESTS}`,
    LOGIN_RATE_LIMIT_PER_SECOND: `${LOGINS}`,
  };
  [service, unlimited] = await Promise.all([startService(database.url, limits), startService(database.url)]);
  operator = new OperatorApi(unlimited.url);
  partner = await operator.partner(['100.00', '0.00']);
}, 60_000);

afterAll(async () => {
  await Promise.all([service?.stop(), unlimited?.stop()]);
  await database?.drop();
});

/** A list of one item with integer parameters (RFC 9651), strictly. */
function parsed(answer: Answer, header: string): { policy: string; [parameter: string]: string | number } | undefined {
  const value = answer.headers.get(header);
  if (value === null) return undefined;
  const [, policy, parameters] = /^"([\x20\x21\x23-\x5b\x5d-\x7e]*)"((?:;[a-z*][a-z0-9_.*-]*=\d{1,15})+)$/.exec(value)!;
  const pairs = parameters!
    .slice(1)
    .split(';')
    .map((one) => one.split('=') as [string, string]);
  return { policy: policy!, ...Object.fromEntries(pairs.map(([name, digits]) => [name, Number(digits)])) };
}

const login = (body: unknown, url = service.url) => call(url, 'POST', '/partners-int/login', { body });
const freshKey = (options: object = {}): Promise<Credentials> =>
  operator.post(`/accounts/${partner.accounts[0]}/access-keys`, options);

describe('answers to an access key', () => {
  it('have the limit and what remains, whatever their status', async () => {
    const session = (await PartnerApi.login(unlimited.url, await freshKey())).on(service.url);
    const asked = [
      [200, () => session.get('/accounts')],
      [404, () => session.get('/accounts/0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e')],
      [400, () => session.post('/accounts/transfer', {})],
      [422, () => session.transfer(partner.accounts[0]!, '1.00')],
      [201, () => session.transfer(partner.accounts[1]!, '1.00')],
    ] as const;
    for (const [status, ask] of asked) {
      const answer = await ask();
      expect(answer.status).toBe(status);
      expect(parsed(answer, 'ratelimit-policy')).toEqual({ policy: 'key', q: REQUESTS, w: 1 });
      const { policy, r, t } = parsed(answer, 'ratelimit')!;
      expect({ policy, t }).toEqual({ policy: 'key', t: 1 });
      expect(r).toBeLessThan(REQUESTS);
    }
  });

  it('count down to nothing, and Retry-After is not before the end of the window', async () => {
    const session = (await PartnerApi.login(unlimited.url, await freshKey())).on(service.url);
    const answers = await Promise.all(Array.from({ length: 60 }, () => session.get('/accounts')));
    const left = answers.filter(({ status }) => status === 200).map((answer) => Number(parsed(answer, 'ratelimit')!.r));
    expect(Math.max(...left)).toBe(REQUESTS - 1);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      const { r, t } = parsed(answer, 'ratelimit')!;
      expect(r).toBe(0);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(Number(t));
    }
  });

  it('from outside its allow-list are 403, have what remains, and consume nothing', async () => {
    const key = await freshKey({ allowedIps: ['127.0.0.0/8'] });
    const { token } = await PartnerApi.login(unlimited.url, key);
    const ask = (from: string) =>
      call(service.url, 'GET', '/partners-int/accounts', { token, headers: { 'x-forwarded-for': from } });
    const stolen = await Promise.all(Array.from({ length: 3 * REQUESTS }, () => ask('203.0.113.9')));
    expect(new Set(stolen.map(({ status }) => status))).toEqual(new Set([403]));
    expect(new Set(stolen.map((answer) => parsed(answer, 'ratelimit')!.r))).toEqual(new Set([REQUESTS]));
    expect((await ask('127.0.0.9')).status).toBe(200);
  });

  it.each([
    ['401, of nobody', 401, () => call(service.url, 'GET', '/partners-int/accounts')],
    ['401, of nobody, before the type of the body', 401, () => post('text/plain', 'x')],
    ['415, before the request is counted', 415, async () => post('text/plain', 'x', await known())],
    ['400, before the request is counted', 400, async () => post('application/json', '{', await known())],
  ] as const)('%s tell the limit alone', async (_, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expect(parsed(answer, 'ratelimit-policy')).toEqual({ policy: 'key', q: REQUESTS, w: 1 });
    expect(answer.headers.get('ratelimit')).toBeNull();
  });
});

describe('a batch', () => {
  it('counts as its items, all or nothing', async () => {
    const { accounts, credentials } = await operator.partner(['100.00', '0.00']);
    const session = (await PartnerApi.login(unlimited.url, credentials)).on(service.url);
    const [, to] = accounts;
    const send = (n: number, name: string) => {
      const item = { refAccountCredit: to, transferAmount: '1.00' };
      const items = Array.from({ length: n }, (_, i) => ({ idempotencyKey: `${name}-${i}`, ...item }));
      return session.post('/accounts/transfers/batch', { items });
    };
    // Nearly all of a second's: what is missing for the next one takes a second to come back.
    const first = await send(REQUESTS - 1, 'a');
    expect(first.status).toBe(200);
    // 1, and what has come back until the answer: one in 50 milliseconds.
    expect(first.headers.get('ratelimit')).toMatch(/^"key";r=([1-9]|1\d);t=1$/);
    const second = await send(REQUESTS, 'b');
    expect(second).toMatchObject({ status: 429, body: { error: { message: expect.stringContaining('20 items') } } });
    expect((await session.on(unlimited.url).balance(to!)).available).toBe('19.00');
    // More than a second's, once a second's is left: each refused one takes one, so they come seldom.
    const third = await eventually(
      async () => {
        const answer = await send(30, 'c');
        return answer.status === 200 && answer;
      },
      { every: 1_200 },
    );
    expect(third.body.data.counts).toEqual({ done: 30, error: 0 });
    // Refused ones count as one each: they end what is left, faster than it comes back, and are not read any more.
    const refused = async (n: number) => (await send(REQUESTS, `d-${n}`)).body.error.message;
    await eventually(async () => (await refused(0)).includes('20 items'));
    const messages = await Promise.all(Array.from({ length: 60 }, (_, n) => refused(n + 1)));
    expect(messages).toContain('At most 20 requests a second for one access key.');
  });
});

const post = (type: string, body: string, token?: string) =>
  call(service.url, 'POST', '/partners-int/accounts/transfer', { token, body, headers: { 'content-type': type } });
const known = async () => (await PartnerApi.login(unlimited.url, await freshKey())).token;

describe('answers to logins', () => {
  it('have the limit of the address, also for a malformed login, which is not counted', async () => {
    await eventually(async () => (await login(partner.credentials)).status === 200);
    await eventually(async () => parsed(await login({}), 'ratelimit')!.r === LOGINS, { within: 5_000, every: 200 });
    for (const [status, body] of [
      [400, {}],
      [200, partner.credentials],
      [401, { ...partner.credentials, secret: 'sk_wrong' }],
    ] as const) {
      const answer = await login(body);
      expect(answer.status).toBe(status);
      expect(parsed(answer, 'ratelimit-policy')).toEqual({ policy: 'login', q: LOGINS, w: 1 });
      expect(parsed(answer, 'ratelimit')).toMatchObject({ policy: 'login', t: 1 });
    }
  });
});

describe('where no limit is set', () => {
  it('no answer has one', async () => {
    const session = await PartnerApi.login(unlimited.url, partner.credentials);
    for (const answer of [await session.get('/accounts'), await login(partner.credentials, unlimited.url)]) {
      expect(answer.status).toBe(200);
      expect([answer.headers.get('ratelimit'), answer.headers.get('ratelimit-policy')]).toEqual([null, null]);
    }
  });
});

describe('routes that are not limited', () => {
  it('have none', async () => {
    for (const path of ['/health/live', '/admin/partners', '/partners-internal', '/openapi.json']) {
      expect((await call(service.url, 'GET', path)).headers.get('ratelimit-policy')).toBeNull();
    }
  });
});

describe('the document', () => {
  it('has both headers on every answer of a limited route, and others where they come', async () => {
    const { paths, components } = (await call(unlimited.url, 'GET', '/openapi.json')).body;
    let limited = 0;
    for (const [path, item] of Object.entries<any>(paths)) {
      for (const { parameters = [], responses } of Object.values<any>(item)) {
        const idempotent = parameters.some((one: any) => one.name === 'Idempotency-Key');
        for (const [status, answer] of Object.entries<any>(responses)) {
          const { headers = {} } = answer.$ref ? components.responses[answer.$ref.split('/').at(-1)] : answer;
          const ofLimits = path.startsWith('/partners-int/') ? ['RateLimit-Policy', 'RateLimit'] : [];
          const retry = ['429', '503'].includes(status) ? ['Retry-After'] : [];
          const replay = idempotent && status.startsWith('2') ? ['Idempotent-Replayed'] : [];
          expect([path, status, ...Object.keys(headers)]).toEqual([path, status, ...ofLimits, ...retry, ...replay]);
          limited += ofLimits.length / 2;
        }
      }
    }
    expect(limited).toBeGreaterThan(50);
    expect(Object.keys(components.headers)).toEqual([
      'RateLimit-Policy',
      'RateLimit',
      'Retry-After',
      'Idempotent-Replayed',
    ]);
  });
});
