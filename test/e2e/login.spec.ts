import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let service: Service;
let other: Service;
let operator: OperatorApi;
let partner: TestPartner;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
  other = await startService(database.url);
  operator = new OperatorApi(service.url);
  partner = await operator.partner(['100.00']);
});

afterAll(async () => {
  await Promise.all([service.stop(), other.stop()]);
  await database.drop();
});

const login = (body: unknown, base = service.url) => call(base, 'POST', '/partners-int/login', { body });
const newKey = (options: object = {}) => operator.post(`/accounts/${partner.accounts[0]}/access-keys`, options);

describe('login', () => {
  it('exchanges key and secret for a bearer token of one hour', async () => {
    const before = Date.now();
    const { status, body } = await login(partner.credentials);
    expect(status).toBe(200);
    expect(body).toEqual({
      statusCode: 'Done',
      data: { token: expect.any(String), tokenType: 'Bearer', expiresIn: 3600, expiresAt: expect.any(String) },
    });
    const lifetime = Date.parse(body.data.expiresAt) - before;
    expect(lifetime).toBeGreaterThan(3_598_000);
    expect(lifetime).toBeLessThanOrEqual(3_601_000);
  });

  it('takes the token with any case of the scheme, and bare', async () => {
    const { token } = await PartnerApi.login(service.url, partner.credentials);
    for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER ${token}`, token]) {
      const answer = await call(service.url, 'GET', '/partners-int/accounts', { headers: { authorization } });
      expect(answer.status).toBe(200);
    }
  });

  it('names every fault of a malformed body', async () => {
    const { status, body } = await login({ accessKey: 7 });
    expect(status).toBe(400);
    expect(body).toEqual({
      statusCode: 'Error',
      error: {
        name: 'InvalidInputError',
        message: 'The request is not valid.',
        details: [
          { path: 'accessKey', code: 'InvalidType', message: 'must be a string', info: { expected: 'string' } },
          { path: 'secret', code: 'Required', message: 'secret is required.', info: { missingProperty: 'secret' } },
        ],
      },
    });
  });

  it('answers alike to an unknown key and to a wrong secret', async () => {
    const wrong = await login({ ...partner.credentials, secret: 'sk_wrong' });
    const unknown = await login({ accessKey: '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e', secret: 'sk_wrong' });
    const garbage = await login({ accessKey: "' or 1=1 --", secret: 'sk_wrong' });
    for (const { status, body } of [wrong, unknown, garbage]) {
      expect(status).toBe(401);
      expect(body).toEqual({
        statusCode: 'Error',
        error: { name: 'AuthenticationError', message: 'The access key or its secret is wrong.' },
      });
    }
  });

  it('is Forbidden with a disabled key, an expired key, and from outside the allow-list', async () => {
    const disabled = await newKey();
    await operator.post(`/access-keys/${disabled.accessKey}/disable`);
    const expired = await newKey({ expiresAt: '2020-01-01' });
    const elsewhere = await newKey({ allowedIps: ['203.0.113.0/24'] });
    for (const credentials of [disabled, expired, elsewhere]) {
      const { status, body } = await login(credentials);
      expect(status).toBe(403);
      expect(body).toEqual({ message: 'Forbidden' });
    }
  });

  it('admits callers from inside the allow-list', async () => {
    const here = await newKey({ allowedIps: ['127.0.0.0/8', '::1'] });
    expect((await login(here)).status).toBe(200);
  });

  it('treats a revoked key like an unknown one, for ever', async () => {
    const key = await newKey();
    await operator.post(`/access-keys/${key.accessKey}/revoke`);
    expect((await login(key)).status).toBe(401);
    const again = await call(service.url, 'POST', `/admin/access-keys/${key.accessKey}/enable`, {
      token: 'test-operator-token-of-24-and-more',
    });
    expect(again.status).toBe(422);
    expect(again.body.error.details.reason).toBe('TransitionNotAllowed');
  });

  it('is locked out after ten failures in a row, for that key and address', async () => {
    const key = await newKey();
    for (let i = 0; i < 10; i++) expect((await login({ ...key, secret: 'wrong' })).status).toBe(401);
    const { status, headers, body } = await login(key);
    expect(status).toBe(429);
    expect(body.error.name).toBe('TooManyRequests');
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(30);
    expect((await login(partner.credentials)).status).toBe(200);
  });
});

describe('a token', () => {
  it.each([
    ['missing', undefined],
    ['malformed', 'Bearer nonsense'],
    ['unsigned (alg none)', `Bearer ${unsigned()}`],
    ['two words', 'Bearer a b'],
  ])('that is %s is refused with 401', async (_, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await call(service.url, 'GET', '/partners-int/accounts', { headers });
    expect(answer.status).toBe(401);
    expect(Object.keys(answer.body.error).sort()).toEqual(['message', 'name']);
    expect(answer.body.error.name).toBe('AuthenticationError');
  });

  it('stops working within a second of its key being disabled, on every instance, and works again when enabled', async () => {
    const key = await newKey();
    const here = await PartnerApi.login(service.url, key);
    const there = here.on(other.url);
    expect((await there.get('/accounts')).status).toBe(200);

    await operator.post(`/access-keys/${key.accessKey}/disable`);
    expect((await here.get('/accounts')).status).toBe(401);
    await eventually(async () => (await there.get('/accounts')).status === 401, { within: 1_000 });

    await operator.post(`/access-keys/${key.accessKey}/enable`);
    await eventually(async () => (await there.get('/accounts')).status === 200, { within: 1_000 });

    await operator.post(`/access-keys/${key.accessKey}/revoke`);
    await eventually(async () => (await there.get('/accounts')).status === 401, { within: 1_000 });
  });

  it('stops working when its key expires', async () => {
    const end = Date.now() + 2_500;
    const session = await PartnerApi.login(service.url, await newKey({ expiresAt: new Date(end).toISOString() }));
    // Whatever the machine makes of it: asked and answered before its end 200, asked after it 401.
    for (let over = false; !over;) {
      over = Date.now() > end;
      const { status } = await session.get('/accounts');
      if (over || Date.now() < end) expect(status).toBe(over ? 401 : 200);
    }
  });

  it('has only the permissions of its key', async () => {
    const reader = await PartnerApi.login(service.url, await newKey({ permissions: ['accounts:read'] }));
    expect((await reader.get('/accounts')).status).toBe(200);
    const transfer = await reader.transfer(partner.accounts[0]!, '1.00');
    expect(transfer.status).toBe(403);
    expect(transfer.body).toEqual({ message: 'Forbidden' });
    const mover = await PartnerApi.login(service.url, await newKey({ permissions: ['transfers:write'] }));
    expect((await mover.get('/accounts')).status).toBe(403);
  });

  it('of a partner opens no operator route, and the other way round', async () => {
    const { token } = await PartnerApi.login(service.url, partner.credentials);
    expect((await call(service.url, 'GET', '/admin/partners', { token })).status).toBe(401);
    const answer = await call(service.url, 'GET', '/partners-int/accounts', {
      token: 'test-operator-token-of-24-and-more',
    });
    expect(answer.status).toBe(401);
  });
});

function unsigned(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1000) + 600;
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ sub: 'x', iss: 'partner-payments-service', aud: 'partners-int', exp })}.`;
}
