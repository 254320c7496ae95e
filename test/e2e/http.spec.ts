import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { sendRaw } from '../support/raw-http.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

/** What holds for every route: paths, bodies, refusals, lists, and the routes of operations. */

let database: TestDatabase;
let service: Service;
let api: PartnerApi;
let source: string;
let destination: string;

beforeAll(async () => {
  database = await createDatabase();
  // Without an address of its own: it gives out the one where it listens.
  service = await startService(database.url, { PUBLIC_URL: '' });
  const partner = await new OperatorApi(service.url).partner(['100.00', '0.00']);
  [source, destination] = partner.accounts as [string, string];
  api = await PartnerApi.login(service.url, partner.credentials);
});

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

const JSON_TYPE = { 'content-type': 'application/json' };

describe('the server', () => {
  it('takes both spellings of a path, and says which request it was', async () => {
    const answer = await call(service.url, 'GET', '/partners-int/accounts/', {
      token: api.token,
      headers: { 'x-request-id': 'order-4711' },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-request-id')).toBe('order-4711');
    const insane = await call(service.url, 'GET', '/health/live', { headers: { 'x-request-id': 'a b' } });
    expect(insane.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([
    ['another content type', 415, 'UnsupportedMediaType', { 'content-type': 'text/plain' }, '{}'],
    ['another charset', 415, 'UnsupportedMediaType', { 'content-type': 'application/json; charset=latin1' }, '{}'],
    ['a body over 64 KiB', 413, 'PayloadTooLarge', JSON_TYPE, JSON.stringify({ a: 'x'.repeat(66_000) })],
    ['a compressed body', 415, 'UnsupportedMediaType', { ...JSON_TYPE, 'content-encoding': 'gzip' }, '{}'],
    ['broken JSON', 400, 'InvalidInputError', JSON_TYPE, '{"a":'],
    ['half a character', 400, 'InvalidInputError', JSON_TYPE, '{"a":"\\ud800"}'],
    ['no body', 400, 'InvalidInputError', JSON_TYPE, ''],
    ['a list', 400, 'InvalidInputError', JSON_TYPE, '[1]'],
  ])('refuses %s', async (_, status, name, headers, body) => {
    const answer = await call(service.url, 'POST', '/partners-int/accounts/transfer', {
      token: api.token,
      headers,
      body,
    });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ statusCode: 'Error', error: { name } });
    // Authentication comes first, and is for operators' and auditors' routes too.
    for (const path of ['/partners-int/accounts/transfer', '/admin/partners', '/audit/verifications']) {
      expect((await call(service.url, 'POST', path, { token: 'x', headers, body })).status).toBe(401);
    }
  });

  it.each([
    ['__proto__', '{"polluted":true}'],
    ['\\u005f_proto__', '{"polluted":true}'],
    ['constructor', '{"prototype":{"polluted":true}}'],
    ['more', '{"deeper":{"__proto__":{"polluted":true}}}'],
  ])('ignores a member %s that is made to pollute prototypes, as any that it does not know', async (name, value) => {
    const body = `{"refAccountCredit":"${destination}","transferAmount":"1.00","${name}":${value}}`;
    const headers = { 'content-type': 'application/json' };
    const answer = await call(service.url, 'POST', '/partners-int/accounts/transfer', {
      token: api.token,
      headers,
      body,
    });
    expect(answer.status).toBe(201);
  });

  it('tells an unknown route from a method that a route does not have', async () => {
    expect((await call(service.url, 'GET', '/nowhere')).body.error.name).toBe('RouteNotFound');
    const answer = await call(service.url, 'PUT', '/partners-int/login');
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST');
    expect(answer.body.error.name).toBe('MethodNotAllowed');
  });

  it.each(['OPTIONS', 'QUERY', 'PROPFIND', 'TRACE'])('names the methods of the route to %s', async (method) => {
    for (const [path, allowed] of [
      ['/partners-int/login', 'POST'],
      ['/pix/jwks', 'GET, HEAD'],
      ['/admin/partners', 'GET, HEAD, POST'],
      // An account may be read at `/accounts/:uid`; this is not one.
      ['/partners-int/accounts/transfer', 'POST'],
    ]) {
      const request = `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
      const { status, headers, body } = await sendRaw(service.url, request);
      expect({ path, status, allow: headers.allow }).toEqual({ path, status: 405, allow: allowed });
      expect(JSON.parse(body).error.name).toBe('MethodNotAllowed');
    }
    const nowhere = await sendRaw(service.url, `${method} /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect([nowhere.status, JSON.parse(nowhere.body).error.name]).toEqual([404, 'RouteNotFound']);
  });

  it.each(['GET', 'HEAD'])('takes no route with a parameter for one that is named: %s', async (method) => {
    for (const token of [undefined, api.token]) {
      for (const path of ['/partners-int/accounts/transfer', '/partners-int/accounts/transfer/?limit=1']) {
        const answer = await call(service.url, method, path, { token });
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      }
    }
  });

  it('names the scheme of its credentials where there are none', async () => {
    for (const token of [undefined, 'nonsense']) {
      const answer = await call(service.url, 'GET', '/partners-int/accounts', { token });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    }
  });

  it('finds what a UUID in upper case names', async () => {
    expect((await api.get(`/accounts/${source.toUpperCase()}`)).body.data.uid).toBe(source);
    const made = await api.transfer(destination.toUpperCase(), '1.00', 'upper-case');
    expect(made.status).toBe(201);
    expect((await api.get(`/accounts/transactions/${made.body.data.id.toUpperCase()}`)).status).toBe(200);
    const toItself = await api.transfer(source.toUpperCase(), '1.00', 'to-itself');
    expect(toItself.body.error.details.reason).toBe('TransferToSameAccountNotAllowed');
  });

  it.each([10, 3_000, 12_000])('does not find an identifier of %d characters', async (length) => {
    const answer = await api.get(`/accounts/${'a'.repeat(length)}`);
    expect([answer.status, answer.body.error.name]).toEqual([404, 'EntityNotFound']);
  });

  it('lists from the moment that it answered, which has no zone', async () => {
    const made = await api.transfer(destination, '1.00', 'from-its-moment');
    const { id, settlementDate } = made.body.data;
    expect(settlementDate).not.toMatch(/Z|[+-]\d\d:\d\d$/);
    const { items } = (await api.get(`/accounts/transactions?from=${settlementDate}`)).body.data;
    expect(items.map(({ transaction }: any) => transaction.id)).toEqual([id]);
  });

  it('gives out addresses where it listens, on a port that was free', async () => {
    // Nothing is told before it is paid.
    const webhook = { url: 'https://aurora.example/hook' };
    const asked = await api.post('/accounts/pix/cashin', {
      payment: { value: { original: '1.00' } },
      transaction: { orderId: 'at-our-port' },
      webhook,
    });
    const { qrCode, qrCodeLocation } = asked.body.data.payment;
    expect(qrCodeLocation.startsWith(`${service.url}/`)).toBe(true);
    expect((await fetch(qrCodeLocation)).status).toBe(200);
    expect(qrCode).toContain(service.url.slice('http://'.length));
  });

  it('issues a key for everything where nothing is asked for', async () => {
    const issued = await call(service.url, 'POST', `/admin/accounts/${source}/access-keys`, { token: ADMIN_TOKEN });
    expect(issued.status).toBe(201);
    expect((await PartnerApi.login(service.url, issued.body.data)).token).toMatch(/^ey/);
  });

  it('sends the content types that the document names, for what is not plain JSON', async () => {
    const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8'));
    for (const path of ['/pix/jwks', '/metrics', '/health/live']) {
      const answer = await fetch(service.url + path);
      const documented = Object.keys(paths[path].get.responses[200].content);
      expect([path, documented]).toEqual([path, [answer.headers.get('content-type')!.split(';')[0]]]);
      await answer.body?.cancel();
    }
  });

  it('pages lists with a limit from 1 to 100 and an opaque cursor', async () => {
    for (const query of ['limit=0', 'limit=101', 'limit=x', 'limit=', 'cursor=nonsense', 'limit=1&limit=2']) {
      expect((await api.get(`/accounts?${query}`)).status).toBe(400);
    }
    const first = (await api.get('/accounts?limit=1')).body.data;
    const second = (await api.get(`/accounts?limit=1&cursor=${first.nextCursor}`)).body.data;
    expect([first.items[0].uid, second.items[0].uid]).toEqual([source, destination]);
    expect([first.items[0].current, second.items[0].current]).toEqual([true, false]);
    expect(second.nextCursor).toBeNull();
    expect((await api.get(`/accounts/${source}/statement?from=yesterday`)).status).toBe(400);
  });

  it('serves health, metrics and its documents', async () => {
    expect((await call(service.url, 'GET', '/health/live')).body).toEqual({ status: 'ok' });
    expect((await call(service.url, 'GET', '/health/ready')).status).toBe(200);
    expect((await call(service.url, 'GET', '/metrics')).body).toContain('ledger_events_total');
    expect(
      (await call(service.url, 'GET', '/openapi.json')).body.paths['/partners-int/accounts/transfer'],
    ).toBeDefined();
    const older = await call(service.url, 'GET', '/openapi-3.0.json');
    expect(older.body.paths['/partners-int/accounts/transfer'].post.operationId).toBe('requestTransfer');
    expect((await call(service.url, 'GET', '/docs')).body).toContain('swagger');
    for (const path of ['/docs-json', '/docs-yaml']) expect((await call(service.url, 'GET', path)).status).toBe(404);
  });
});
