import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call } from '../support/api.js';
import { type Route, ROUTES, undocumented } from '../support/api-document.js';
import { encodeCursor } from '../../src/platform/http/pagination.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { credentialFor, stock, type Stocked } from '../support/marketplace.js';
import { payoutCsv } from '../support/payout-files.js';
import { cashInBody, cashOutBody, withMember } from '../support/pix-bodies.js';
import { sendRaw } from '../support/raw-http.js';
import { type Service, startService } from '../support/service.js';

const HOOK = 'http://127.0.0.1:65535/hook';

let database: TestDatabase;
let service: Service;
let ours: Stocked;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { LEDGER_PARTITIONS: '1' });
  ours = await stock(service, 'order-1', HOOK);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

const LOGIN = '/partners-int/login';
const post = (headers: string, body = '{}') => `POST ${LOGIN} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;
const BATCHES = ['/partners-int/accounts/transfers/batch', '/partners-int/accounts/pix/cashouts/batch'];
const json = 'Content-Type: application/json\r\nConnection: close\r\n';

describe('what is no HTTP, or too much of it', () => {
  it.each<[string, string, number]>([
    ['no request line', 'HELLO\r\n\r\n', 400],
    ['a method that does not exist', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a version that does not exist', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n', 400],
    ['a space in a header’s name', 'GET / HTTP/1.1\r\nHost: x\r\nBad Name: y\r\n\r\n', 400],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n', 400],
    ['lengths that differ', post(`${json}Content-Length: 2\r\nContent-Length: 3`), 400],
    ['a length and chunks (request smuggling)', post(`${json}Content-Length: 2\r\nTransfer-Encoding: chunked`), 400],
    ['a length that is no number', post(`${json}Content-Length: 0x2`), 400],
    ['chunks that are none', post(`${json}Transfer-Encoding: chunked`, 'zz\r\n'), 400],
    ['a header of 20 KB', `GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['more than a hundred headers', `GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(100)}\r\n`, 431],
    ['an address of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    [
      'a path that cannot be decoded',
      'GET /partners-int/accounts/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      400,
    ],
    ['a path out of the root', 'GET /../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
    ['an address of another host', 'GET http://elsewhere/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 404],
  ])('%s is refused in the shapes of every error', async (_, request, status) => {
    const answer = await sendRaw(service.url, request);
    expect(answer.status).toBe(status);
    const { error } = JSON.parse(answer.body);
    expect(error).toEqual(expect.objectContaining({ name: expect.any(String), message: expect.any(String) }));
    expect(answer.headers).toMatchObject({ 'x-request-id': expect.any(String), 'x-content-type-options': 'nosniff' });
    expect((await call(service.url, 'GET', '/health/live')).status).toBe(200);
  });

  it('a body in chunks is cut off at 64 KiB like any other', async () => {
    const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`;
    const answer = await sendRaw(service.url, post(`${json}Transfer-Encoding: chunked`, `${chunk.repeat(5)}0\r\n\r\n`));
    expect(answer.status).toBe(413);
  });

  it.each(BATCHES)('a body of %s is not waited for where the caller is not known', async (path) => {
    for (const token of ['', 'Authorization: Bearer x\r\n']) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n${token}${json}Content-Length: 1000000\r\n\r\n`;
      const answer = await sendRaw(service.url, head);
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body).error.name).toBe('AuthenticationError');
      expect(answer.headers).toHaveProperty('x-request-id');
    }
  });

  it.each(BATCHES)('a body of %s is not looked at where nothing is left of the limit', async (path) => {
    const limited = await startService(database.url, { LEDGER_PARTITIONS: '1', RATE_LIMIT_PER_SECOND: '1' });
    try {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${credentialFor('partner', ours)}\r\n`;
      // Malformed: whoever reads it answers 400.
      await call(limited.url, 'GET', '/partners-int/accounts', { token: credentialFor('partner', ours) });
      const answer = await sendRaw(limited.url, `${head}${json}Content-Length: 1\r\n\r\n{`);
      expect(answer.status).toBe(429);
      expect(answer.headers).toMatchObject({ 'retry-after': '1', ratelimit: '"key";r=0;t=1' });
    } finally {
      await limited.stop();
    }
  });
});

describe('headers of a request', () => {
  it.each([
    ['spaces', 'a b'],
    ['nothing', ''],
    ['256 characters', 'a'.repeat(256)],
    ['other scripts', 'chavé'],
  ])('an Idempotency-Key of %s is refused, and named', async (_, key) => {
    const keyed = ROUTES.filter(takesKey);
    expect(keyed.length).toBeGreaterThan(3);
    for (const route of keyed) {
      const [path, body] = goodRequest(route);
      const token = credentialFor(route.audience, ours);
      const type = typeof body === 'string' ? 'text/csv' : 'application/json';
      const headers = { 'content-type': type, 'idempotency-key': key };
      const answer = await call(service.url, 'POST', path, { token, body, headers });
      expect({ route: route.name, status: answer.status }).toEqual({ route: route.name, status: 400 });
      expect(answer.body.error.details[0].path).toBe('Idempotency-Key');
      expect(undocumented(route, answer)).toBeUndefined();
    }
  });

  it('an x-request-id that is no token is replaced, and never comes back', async () => {
    for (const id of ['a b', '<script>', "' or 1=1", 'x'.repeat(129), 'a;b', '{"a":1}']) {
      const { headers } = await call(service.url, 'GET', '/health/live', { headers: { 'x-request-id': id } });
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it('an x-request-id that names a person is replaced: it would stay in the log and in events', async () => {
    const send = async (id: string) => {
      const { headers } = await call(service.url, 'GET', '/health/live', { headers: { 'x-request-id': id } });
      return headers.get('x-request-id');
    };
    for (const id of ['52998224725', 'pay-529.982.247-25', '1:52998224725', 'ana@pix.bcb.gov.br', '+5561990000100']) {
      expect(await send(id)).toMatch(/^[0-9a-f-]{36}$/);
    }
    for (const id of ['52998224724', 'a52998224725', '20261130174658', 'job@3', '1-67891233-abcdef01', '+a/b==']) {
      expect(await send(id)).toBe(id);
    }
  });

  it('an X-Forwarded-For is not believed from who is no trusted proxy', async () => {
    const elsewhere = await call(service.url, 'POST', `/admin/accounts/${ours.partner.accounts[0]}/access-keys`, {
      token: credentialFor('operator', ours),
      body: { allowedIps: ['203.0.113.7'] },
    });
    const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7', 'x-real-ip': '203.0.113.7' };
    const answer = await call(service.url, 'POST', LOGIN, { body: elsewhere.body.data, headers });
    expect(answer.status).toBe(403);
  });
});

const takesKey = ({ definition }: Route) =>
  ((definition.parameters ?? []) as { name: string }[]).some(({ name }) => name === 'Idempotency-Key');

function goodRequest(route: Route): [string, unknown] {
  const { partner, paidCashIn } = ours;
  const transfer = { refAccountCredit: partner.accounts[1], transferAmount: '1.00' };
  const bodies: Record<string, unknown> = {
    transfer,
    'transfers/batch': { items: [{ idempotencyKey: 'item-1', ...transfer }] },
    'cashouts/batch': { items: [{ idempotencyKey: 'item-1', ...cashOutBody.key('1.00') }] },
    'payouts/files': payoutCsv(1),
    schedules: { every: 'month', count: 2, startsOn: '2030-01-01', transfer },
    refunds: { amount: '0.01' },
    cashin: cashInBody.account('1.00'),
    cashout: cashOutBody.key('1.00'),
    credits: { amount: '1.00', reason: 'Test' },
    recovery: { reason: 'Scam', details: 'd' },
    defence: { text: 't' },
    decision: { decision: 'Rejected' },
    holds: { amount: '1.00', cause: 'Judicial', reference: 'order-1' },
    release: { amount: '1.00' },
    return: { amount: '1.00' },
    execute: { amount: '1.00', destination: { kind: 'JudicialTransfer', reference: 'order-1' } },
  };
  const path = route.path.replace('{uid}', partner.accounts[0]!).replace('{id}', paidCashIn);
  const ends = (depth: number) => bodies[route.path.split('/').slice(-depth).join('/')];
  const body = ends(1) ?? ends(2);
  if (!body) throw new Error(`no body is known for ${route.name}`);
  return [path, body];
}

describe("a webhook's custom header", () => {
  const hostile: [string, unknown, unknown, string][] = [
    ['a second header in its value', 'X-A', 'b\r\nX-Injected: 1', 'customHeaderValue'],
    ['a line feed in its value', 'X-A', 'b\nX-Injected: 1', 'customHeaderValue'],
    ['a body in its value', 'X-A', 'b\r\n\r\n{"state":"Completed"}', 'customHeaderValue'],
    ['a NUL in its value', 'X-A', 'b\0', 'customHeaderValue'],
    ['letters outside ASCII in its value', 'X-A', 'ação', 'customHeaderValue'],
    ['a separator of lines in its value', 'X-A', 'b\u2028c', 'customHeaderValue'],
    ['a value that is too long', 'X-A', 'b'.repeat(1_025), 'customHeaderValue'],
    ['a second header in its name', 'X-A: 1\r\nX-Injected', 'b', 'customHeaderName'],
    ['a colon in its name', 'X-A:', 'b', 'customHeaderName'],
    ['a space in its name', 'X A', 'b', 'customHeaderName'],
    ['letters outside ASCII in its name', 'X-Ação', 'b', 'customHeaderName'],
    ['our signature', 'Webhook-Signature', 'v1,AAAA', 'customHeaderName'],
    ['our identifier', 'webhook-id', 'x', 'customHeaderName'],
    ['another host', 'Host', 'internal', 'customHeaderName'],
    ['another length', 'Content-Length', '0', 'customHeaderName'],
    ['chunks', 'Transfer-Encoding', 'chunked', 'customHeaderName'],
    ['an upgrade', 'Upgrade', 'h2c', 'customHeaderName'],
    ['a list', ['X-A', 'X-B'], ['1', '2'], 'customHeaderName'],
  ];
  it.each(hostile)('cannot be %s', async (_, name, value, member) => {
    const header = (body: object, at: string) =>
      withMember(withMember(body, `${at}customHeaderName`, name), `${at}customHeaderValue`, value);
    const requests: [string, object, string][] = [
      ['/accounts/pix/cashin', cashInBody.account('1.00'), 'webhook.'],
      ['/accounts/pix/cashout', cashOutBody.key('1.00'), 'webhook.'],
      ['/webhooks/test', { url: HOOK }, ''],
    ];
    for (const [path, body, at] of requests) {
      const answer = await ours.session.post(path, header(body, at));
      expect({ path, status: answer.status }).toEqual({ path, status: 400 });
      const paths = (answer.body.error.details as { path: string }[]).map((detail) => detail.path);
      expect(paths).toContain(`${at}${member}`);
    }
  });
});

describe('a forged cursor', () => {
  it.each([
    ['no key', ''],
    ['SQL', `' or 1=1 --`],
    ['a word', 'zzz'],
    ['too large a number', '99999999999999999999'],
    ['a number where an identifier belongs', '1'],
    ['an identifier where a number belongs', '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e'],
    ['a NUL', '\0'],
  ])('whose digest is right and whose key is %s is no fault of the server', async (_, key) => {
    const { partner } = ours;
    const [account] = partner.accounts as [string];
    const none = [null, null, null, null, null, null];
    const lists: [string, string, string | undefined, unknown[]][] = [
      ['/partners-int/accounts', '', ours.session.token, ['accounts', partner.uid]],
      [`/partners-int/accounts/${account}/statement`, '', ours.session.token, ['statement', account, null, null]],
      ['/partners-int/accounts/transactions', '', ours.session.token, ['transactions', account, ...none]],
      ['/partners-int/webhooks/deliveries', '', ours.session.token, ['deliveries', account, null, null]],
      ['/admin/partners', '', credentialFor('operator', ours), ['partners']],
      [
        `/admin/transactions/${ours.paidCashIn}/deliveries`,
        '',
        credentialFor('operator', ours),
        ['deliveries', account, ours.paidCashIn, null],
      ],
      ['/audit/transactions', '', ours.auditor.token, ['search', partner.uid, ...none, ...none]],
      [
        '/audit/transactions',
        `account=${account}&`,
        ours.auditor.token,
        ['search', partner.uid, ...none, null, null, null, account, null, null],
      ],
      [`/audit/accounts/${account}/statement`, '', ours.auditor.token, ['statement', account, null, null]],
      ['/audit/events', 'partition=1&', ours.auditor.token, ['audit-events', ours.auditor.id, '1']],
      [`/audit/accounts/${account}/events`, '', ours.auditor.token, ['audit-account', ours.auditor.id, account]],
      [
        `/audit/transactions/${ours.paidCashIn}/events`,
        '',
        ours.auditor.token,
        ['audit-transaction', ours.auditor.id, ours.paidCashIn],
      ],
      ['/audit/checkpoints/1', '', ours.auditor.token, ['audit-checkpoints', 1]],
    ];
    for (const [path, query, token, list] of lists) {
      const { status } = await call(service.url, 'GET', `${path}?${query}cursor=${encodeCursor(list, key)}`, { token });
      expect({ path, isRefused: status === 400, isShown: status === 200 }).toMatchObject(
        /^(1|0199.*)$/.test(key) ? { path } : { path, isRefused: true },
      );
      expect(status).toBeLessThan(500);
    }
  });
});
