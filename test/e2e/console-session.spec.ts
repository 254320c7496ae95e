import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { writeSessionCookie } from '../../src/auth/sessions/session-cookie.js';
import { call, OperatorApi, type TestPartner } from '../support/api.js';
import { FROM_PAGE, signIn, type SignedIn, withCookie } from '../support/console.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { MovingClock } from '../support/moving-clock.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

let database: TestDatabase;
let service: Service;
let other: Service;
let clock: MovingClock;
let operator: OperatorApi;
let partner: TestPartner;
let auditor: { id: string; token: string };

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { LOG_LEVEL: 'debug' });
  // Another instance, whose operator has got a new token under the old name, and where a session lasts for an hour.
  clock = await MovingClock.make();
  other = await startService(database.url, {
    ...clock.settings,
    ADMIN_TOKEN: 'tester:another-operator-token-of-24-and-more',
    CONSOLE_IDLE_SECONDS: '1800',
    CONSOLE_SESSION_SECONDS: '3600',
  });
  operator = new OperatorApi(service.url);
  partner = await operator.partner(['10.00']);
  auditor = await operator.post('/auditors', { name: 'External audit' });
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await other?.stop();
  await clock?.remove();
  await database?.drop();
});

const reason = { reason: 'Teste' };
const deactivate = () => `/admin/accounts/${partner.accounts[0]}/deactivate`;
const activate = () => `/admin/accounts/${partner.accounts[0]}/activate`;
const status = async (session: SignedIn, path = '/console/session') => (await session.request('GET', path)).status;

describe("an operator's session", () => {
  it('is a cookie that no script reads and no other site sends, and ends', async () => {
    const session = await signIn(service.url, ADMIN_TOKEN);
    expect(session.setCookie).toMatch(/^console=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(session.data).toMatchObject({
      role: 'operator',
      name: 'tester',
      partnerUid: null,
      features: { sandbox: true },
    });
    expect(await session.get('/console/session')).toMatchObject({ role: 'operator', name: 'tester' });
    const { expiresAt, idleUntil } = session.data;
    expect(Date.parse(expiresAt) - Date.now()).toBeGreaterThan(7.9 * 3_600_000);
    expect(Date.parse(idleUntil) - Date.now()).toBeLessThanOrEqual(1_800_000);
    expect(writeSessionCookie('x', 60, { production: true })).toBe(
      '__Host-console=x; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure',
    );
  });

  it('is refused once its row was changed, or given the rights of another', async () => {
    const [mine, theirs] = [await signIn(service.url, auditor.token), await signIn(service.url, ADMIN_TOKEN)];
    expect(await status(mine)).toBe(200);
    await database.query(
      `update console_session a set role = o.role, subject = o.subject, fingerprint = o.fingerprint, seal = o.seal
       from console_session o where a.subject = $1 and o.subject = 'tester' and o.role = 'operator'`,
      [auditor.id],
    );
    expect(await status(mine)).toBe(401);
    await database.query(`update console_session set expires_at = expires_at + interval '1 year'`);
    expect(await status(theirs)).toBe(401);
  });

  it('does what the token does, and the history names the same actor', async () => {
    const session = await signIn(service.url, ADMIN_TOKEN);
    expect(await session.get(`/admin/partners/${partner.uid}`)).toMatchObject({ uid: partner.uid });
    expect((await session.request('POST', deactivate(), reason)).status).toBe(200);
    expect((await session.request('POST', activate(), reason)).status).toBe(200);
    const [event] = await database.query(
      `select metadata->>'actor' as actor from event where type = 'AccountActivated' order by time desc limit 1`,
    );
    expect(event).toEqual({ actor: 'operator:tester' });
  });

  it('reads the audit routes, which the bare token does not', async () => {
    const session = await signIn(service.url, ADMIN_TOKEN);
    expect(await status(session, '/audit/partitions')).toBe(200);
    expect((await call(service.url, 'GET', '/audit/partitions', { token: ADMIN_TOKEN })).status).toBe(401);
  });

  it('changes nothing for a request that another site may have made', async () => {
    const session = await signIn(service.url, ADMIN_TOKEN);
    const origin = new URL(service.url).origin;
    const from = (headers: Record<string, string>) => session.request('POST', activate(), reason, headers);
    const foreign: Record<string, string>[] = [
      {},
      { 'x-console': '1' },
      { 'sec-fetch-site': 'same-origin' },
      { origin },
      { 'x-console': '1', 'sec-fetch-site': 'cross-site' },
      { 'x-console': '1', 'sec-fetch-site': 'same-site' },
      { 'x-console': '1', 'sec-fetch-site': 'none' },
      { 'x-console': '1', origin: 'https://evil.example' },
      { 'x-console': '1', origin: 'null' },
      { ...FROM_PAGE, origin: 'https://evil.example' },
    ];
    for (const headers of foreign) {
      expect({ headers, answer: await from(headers) }).toMatchObject({
        answer: { status: 403, body: { message: 'Forbidden' } },
      });
    }
    for (const headers of [{ 'x-console': '1', origin }, { ...FROM_PAGE, origin }, FROM_PAGE]) {
      expect((await from(headers)).status).toBe(200);
    }
    const read = (site: string) => session.request('GET', '/admin/partners', undefined, { 'sec-fetch-site': site });
    expect([(await read('cross-site')).status, (await read('same-site')).status]).toEqual([403, 403]);
    expect([(await read('none')).status, (await read('same-origin')).status]).toEqual([200, 200]);
    const without = { body: { credential: ADMIN_TOKEN }, headers: { 'x-console': '1' } };
    expect((await call(service.url, 'POST', '/console/session', without)).status).toBe(403);
    // The bare token needs none of this: no browser sends it by itself.
    expect((await call(service.url, 'POST', activate(), { token: ADMIN_TOKEN, body: reason })).status).toBe(200);
  });

  it('is not looked at beside a token: the token decides', async () => {
    const session = await signIn(service.url, ADMIN_TOKEN);
    const headers = { ...FROM_PAGE, authorization: 'Bearer nonsense' };
    expect((await session.request('GET', '/admin/partners', undefined, headers)).status).toBe(401);
  });

  it('ends when its owner signs out, on every instance', async () => {
    const second = await startService(database.url);
    try {
      const session = await signIn(service.url, ADMIN_TOKEN);
      const there = withCookie(second.url, session.setCookie);
      expect(await status(there, '/admin/partners')).toBe(200);
      const ended = await session.request('DELETE', '/console/session');
      expect(ended.headers.get('set-cookie')).toMatch(/^console=; Max-Age=0;/);
      expect([await status(there), await status(session), await status(there, '/admin/partners')]).toEqual([
        401, 401, 401,
      ]);
    } finally {
      await second.stop();
    }
  });

  it('is refused once the token that it was exchanged for is no longer configured', async () => {
    const session = await signIn(service.url, ADMIN_TOKEN);
    expect(await status(withCookie(other.url, session.setCookie))).toBe(401);
    expect(await status(session)).toBe(200);
  });

  it('ends when it is not used, and in any case at its end', async () => {
    const idle = await signIn(other.url, 'another-operator-token-of-24-and-more');
    const busy = await signIn(other.url, 'another-operator-token-of-24-and-more');
    const minutes = (count: number) => count * 60_000;
    try {
      for (let i = 0; i < 2; i++) {
        await clock.advance(minutes(20));
        // Until it has been used after that: ten minutes are left to who has not been.
        await eventually(async () => {
          const { idleUntil } = await busy.get('/console/session');
          return Date.parse(idleUntil) - clock.now().getTime() > minutes(15);
        });
      }
      expect([await status(idle), await status(busy)]).toEqual([401, 200]);
      await clock.advance(minutes(21));
      await eventually(async () => (await status(busy)) === 401);
    } finally {
      await clock.setTo(new Date());
    }
  });

  it('of which nothing can be made up', async () => {
    for (const made of ['console=x', 'console=', `console=${'A'.repeat(43)}`, `console=${ADMIN_TOKEN}`]) {
      expect(await status(withCookie(service.url, made), '/admin/partners')).toBe(401);
    }
  });
});

describe("an auditor's session", () => {
  it('reads what the auditor may read', async () => {
    const session = await signIn(service.url, auditor.token);
    expect(session.data).toMatchObject({ role: 'auditor', name: 'External audit', partnerUid: null });
    expect(await status(session, '/audit/partitions')).toBe(200);
  });

  it('is refused by every operator route, and by every route that changes something', async () => {
    const session = await signIn(service.url, auditor.token);
    const { paths } = JSON.parse(await readFile('openapi.json', 'utf8'));
    const before = await database.query('select partition, position from log_head order by partition');
    const allowed: string[] = [];
    let refused = 0;
    for (const [path, item] of Object.entries<any>(paths)) {
      for (const method of Object.keys(item).filter((one) => one !== 'parameters')) {
        if (!path.startsWith('/admin') && (method === 'get' || !path.startsWith('/audit'))) continue;
        const url = path.replace(/\{\w+\}/g, partner.accounts[0]!);
        const answer = await session.request(method.toUpperCase(), url, method === 'get' ? undefined : {});
        if (answer.status === 403) refused += 1;
        else allowed.push(`${method} ${path}`);
      }
    }
    expect(allowed).toEqual(['post /audit/verifications']);
    expect(refused).toBeGreaterThan(20);
    expect(await database.query('select partition, position from log_head order by partition')).toEqual(before);
  });

  it('ends when the auditor is revoked', async () => {
    const { id, token } = await operator.post('/auditors', { name: 'Short' });
    const session = await signIn(service.url, token);
    expect(await status(session)).toBe(200);
    await operator.post(`/auditors/${id}/revoke`);
    await eventually(async () => (await status(session, '/audit/partitions')) === 401, { within: 1_000 });
    expect(await status(session)).toBe(401);
  });
});

describe('signing in', () => {
  it('leaves no credential and no session in the log or in the tables', async () => {
    const session = await signIn(service.url, auditor.token);
    await session.request('POST', deactivate(), reason);
    const rows = await database.query(`select encode(id, 'hex') as id, role, subject from console_session`);
    // What the start prints for developers is not the log.
    const log = service
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'));
    const kept = JSON.stringify(rows) + log.join('\n');
    const secrets = { ADMIN_TOKEN, auditor: auditor.token.slice(-43), session: session.cookie.split('=')[1]! };
    expect(Object.entries(secrets).filter(([, secret]) => kept.includes(secret))).toEqual([]);
    expect(kept).toContain('/console/session');
  });

  it('is locked out after ten failures from one address', async () => {
    const guess = () =>
      call(other.url, 'POST', '/console/session', { body: { credential: 'guess' }, headers: FROM_PAGE });
    for (let i = 0; i < 10; i++) expect((await guess()).status).toBe(401);
    const refused = await guess();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
