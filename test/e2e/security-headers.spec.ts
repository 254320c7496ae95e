import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, type TestPartner } from '../support/api.js';
import { ROUTES } from '../support/api-document.js';
import { FROM_PAGE, withCookie } from '../support/console.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';

let database: TestDatabase;
let service: Service;
let partner: TestPartner;
/** Of a console with one page and one script. */
let folder: string;

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'console-headers-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  await writeFile(join(folder, 'index-B2x9kQ1a.js'), 'void 0;');
  service = await startService(database.url, { PUBLIC_URL: 'https://pay.example.com', CONSOLE_DIR: folder });
  partner = await new OperatorApi(service.url).partner(['1.00']);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const EVERYWHERE = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000',
  'cache-control': 'no-store',
};
/** Routes that say of themselves that they may be kept, or more strictly that they may not. */
const CACHE_CONTROL: Readonly<Record<string, string>> = {
  'get /pix/jwks': 'public, max-age=300',
  'get /pix/receipts/{transactionId}/{token}': 'private, no-store',
};

describe('every answer', () => {
  it.each(ROUTES.map((route) => [route.name, route] as const))(
    'of %s carries the security headers',
    async (name, route) => {
      const path = route.path.replace(/\{\w+\}/g, 'x');
      const { headers } = await call(service.url, route.method.toUpperCase(), path, {
        body: route.method === 'get' ? undefined : {},
      });
      const expected = { ...EVERYWHERE, ...(CACHE_CONTROL[name] && { 'cache-control': CACHE_CONTROL[name] }) };
      const sent = Object.fromEntries(Object.keys(expected).map((one) => [one, headers.get(one)]));
      expect(sent).toEqual(expected);
      for (const telling of ['server', 'x-powered-by']) expect(headers.get(telling)).toBeNull();
    },
  );

  it('that is no route carries them too, and one with a secret or a token in it is kept by nobody', async () => {
    const nowhere = await call(service.url, 'GET', '/nowhere');
    expect(nowhere.status).toBe(404);
    const login = await call(service.url, 'POST', '/partners-int/login', { body: partner.credentials });
    expect(login.status).toBe(200);
    for (const { headers } of [nowhere, login]) {
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('of a session is kept by nobody: neither the cookie nor who is signed in', async () => {
    const begun = await call(service.url, 'POST', '/console/session', {
      body: { credential: ADMIN_TOKEN },
      headers: FROM_PAGE,
    });
    const session = withCookie(service.url, begun.headers.get('set-cookie')!);
    const asked = await session.request('GET', '/console/session');
    const read = await session.request('GET', '/admin/partners');
    const ended = await session.request('DELETE', '/console/session');
    for (const { status, headers } of [begun, asked, read, ended]) {
      const sent = Object.fromEntries(Object.keys(EVERYWHERE).map((one) => [one, headers.get(one)]));
      expect({ status, sent }).toEqual({ status: 200, sent: EVERYWHERE });
    }
    for (const { headers } of [asked, read]) expect(headers.get('set-cookie')).toBeNull();
  });

  it('over plain http says nothing of https, which it could not keep', async () => {
    const other = await createDatabase();
    const plain = await startService(other.url);
    try {
      expect((await call(plain.url, 'GET', '/health/live')).headers.get('strict-transport-security')).toBeNull();
    } finally {
      await plain.stop();
      await other.drop();
    }
  });
});

describe('the page of the console', () => {
  it('has a policy of its own, stricter than that of the documents, and everything else like every answer', async () => {
    const kept: Record<string, [number, string]> = {
      '/console': [200, 'no-cache'],
      '/console/transactions/x': [200, 'no-cache'],
      '/console/index-B2x9kQ1a.js': [200, 'public, max-age=31536000, immutable'],
      '/console/missing.js': [404, 'no-store'],
    };
    for (const [path, [status, cacheControl]] of Object.entries(kept)) {
      const { headers, ...answer } = await call(service.url, 'GET', path);
      const { 'content-security-policy': _api, ...others } = EVERYWHERE;
      const expected = { ...others, 'cache-control': cacheControl, 'cross-origin-opener-policy': 'same-origin' };
      const sent = Object.fromEntries(Object.keys(expected).map((one) => [one, headers.get(one)]));
      expect({ path, status: answer.status, sent }).toEqual({ path, status, sent: expected });
      const policy = headers.get('content-security-policy')!;
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
    }
    // What is no page has the policy of what is none.
    for (const path of ['/console/session', '/admin/partners']) {
      const { headers } = await call(service.url, 'GET', path);
      expect(headers.get('content-security-policy')).toBe(EVERYWHERE['content-security-policy']);
    }
  });
});

describe('the page of the documents', () => {
  it('may load its own scripts, and nothing from elsewhere; it has no script of its own inside', async () => {
    const page = await call(service.url, 'GET', '/docs');
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; /);
    expect(policy).not.toMatch(/script-src [^;]*unsafe|https?:|\*/);
    const html = page.body as string;
    const scripts = [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)];
    expect(scripts.length).toBeGreaterThan(0);
    for (const [, attributes, inside] of scripts) {
      expect(attributes).toMatch(/src="\.?\/?[\w./-]+"/);
      expect(inside!.trim()).toBe('');
    }
    for (const [, source] of html.matchAll(/(?:src|href)="([^"]+)"/g)) expect(source).not.toMatch(/^(https?:)?\/\//);
    const script = await call(service.url, 'GET', '/docs/swagger-ui-init.js');
    expect(script.status).toBe(200);
    expect(script.headers.get('x-content-type-options')).toBe('nosniff');
  });
});
