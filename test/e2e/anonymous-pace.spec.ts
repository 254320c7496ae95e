import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

/** What no limit counts, of callers who are not known, goes out at a pace, by network: `ANONYMOUS_PACE_PER_SECOND`. */

const PACE = 10;
const LIMIT = 30;

let database: TestDatabase;
let service: Service;
let partner: TestPartner;
let api: PartnerApi;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, {
    TRUSTED_PROXIES: '127.0.0.1',
    ANONYMOUS_PACE_PER_SECOND: `${PACE}`,
    RATE_LIMIT_PER_SECOND: `${LIMIT}`,
  });
  partner = await new OperatorApi(service.url).partner(['100.00', '0.00']);
  api = await PartnerApi.login(service.url, partner.credentials);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

/** Asks without a pause, on some connections, for some time. @returns the answers' statuses */
async function hammer(milliseconds: number, ask: () => Promise<{ readonly status: number }>): Promise<number[]> {
  const statuses: number[] = [];
  const until = performance.now() + milliseconds;
  const connections = Array.from({ length: 8 }, async () => {
    while (performance.now() < until) statuses.push((await ask()).status);
  });
  await Promise.all(connections);
  return statuses;
}

const from = (address: string) => ({ 'x-forwarded-for': address });
const stranger =
  (address: string) =>
  (path: string, method = 'GET') =>
    call(service.url, method, path, { headers: { ...from(address), authorization: 'Bearer not.a.token' } });

describe('who asks again without a pause', () => {
  it.each([
    ['with a token that is none', '192.0.2.1', '/partners-int/accounts', 401],
    ['a path that does not exist', '192.0.2.2', '/nothing', 404],
    ['as an operator', '192.0.2.3', '/admin/partners', 401],
    ['a page that anybody may read', '192.0.2.4', '/pix/jwks', 200],
    ['a probe', '192.0.2.5', '/health/live', 200],
    ['a path that cannot be decoded', '127.0.0.1', '/%zz', 400],
  ])('%s is answered ever later', async (_how, address, path, status) => {
    const began = performance.now();
    const statuses = await hammer(2_000, () => stranger(address)(path));
    const seconds = (performance.now() - began) / 1_000;
    expect(new Set(statuses)).toEqual(new Set([status]));
    expect(statuses.length).toBeGreaterThanOrEqual(PACE);
    expect(statuses.length).toBeLessThanOrEqual(PACE * (seconds + 1));
  });

  it('with a key whose limit is used up has no more by it than the limit and the pace', async () => {
    const began = performance.now();
    const statuses = await hammer(2_000, () => api.get('/accounts'));
    const seconds = (performance.now() - began) / 1_000;
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(LIMIT);
    expect(statuses.filter((status) => status === 429).length).toBeLessThanOrEqual(PACE * (seconds + 1));
  });
});

describe('while refusals wait', () => {
  it('others of that network who are known, probes, and strangers elsewhere do not', async () => {
    const { credentials } = await new OperatorApi(service.url).partner(['1.00']);
    const known = await PartnerApi.login(service.url, credentials);
    let isOver = false;
    const refused = Array.from({ length: 6 * PACE }, () => stranger('127.0.0.1')('/partners-int/accounts'));
    const over = Promise.all(refused).then(() => (isOver = true));
    await Promise.race(refused);
    for (let i = 0; i < 5; i++) {
      expect((await known.get('/accounts')).status).toBe(200);
      expect((await known.get('/accounts/0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e')).status).toBe(404);
      expect((await stranger('127.0.0.1')('/health/live')).status).toBe(200);
      expect((await stranger('192.0.2.9')('/partners-int/accounts')).status).toBe(401);
    }
    expect(isOver).toBe(false);
    await over;
  });
});
