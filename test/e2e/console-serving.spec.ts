import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { call } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

const PAGE =
  '<!doctype html><title>Console</title><script type="module" src="/console/assets/index-B2x9kQ1a.js"></script>';
const SCRIPT = `document.title = 'ready';${' '.repeat(2_000)}`;
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

let database: TestDatabase;
let folder: string;
let service: Service;

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), 'console-build-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), PAGE);
  const script = join(folder, 'assets', 'index-B2x9kQ1a.js');
  await writeFile(script, SCRIPT);
  await writeFile(`${script}.br`, brotliCompressSync(SCRIPT));
  await writeFile(`${script}.gz`, gzipSync(SCRIPT));
  await writeFile(join(folder, 'icon.svg'), '<svg/>');
  service = await startService(database.url, { CONSOLE_DIR: folder });
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}) => call(service.url, 'GET', path, { headers });

describe('the console', () => {
  it('is one page at every address of its own, never cached unseen', async () => {
    for (const path of [
      '/console',
      '/console/',
      '/console/transactions/0199d1f0-7c3b-7001-8b1c-0d2e4f6a8c9b?tab=events',
    ]) {
      const { status, headers, body } = await get(path);
      expect({ path, status, body }).toEqual({ path, status: 200, body: PAGE });
      expect(headers.get('content-type')).toMatch(/^text\/html; charset=utf-8/i);
      expect(headers.get('cache-control')).toBe('no-cache');
    }
  });

  it('may run its own scripts and talk to its own origin, and nothing else', async () => {
    for (const path of ['/console', '/console/assets/index-B2x9kQ1a.js', '/console/missing.js']) {
      const { headers } = await get(path);
      expect(headers.get('content-security-policy')).toBe(POLICY);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it('has files that never change under their names, compressed as the client likes it', async () => {
    for (const encoding of ['br', 'gzip']) {
      const { status, headers, body } = await get('/console/assets/index-B2x9kQ1a.js', { 'accept-encoding': encoding });
      expect({ status, body }).toEqual({ status: 200, body: SCRIPT });
      expect(headers.get('content-encoding')).toBe(encoding);
      expect(headers.get('vary')).toMatch(/accept-encoding/i);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(headers.get('content-type')).toMatch(/javascript/);
    }
    const plain = await get('/console/assets/index-B2x9kQ1a.js', { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.body).toBe(SCRIPT);
  });

  it('gives no page for a file that is not there, and nothing from outside its folder', async () => {
    for (const path of [
      '/console/assets/index-0000000.js',
      '/console/%2e%2e/package.json',
      '/console/..%2fpackage.json',
    ]) {
      const { status, body } = await get(path);
      expect({ path, status }).toEqual({ path, status: 404 });
      expect(JSON.stringify(body)).not.toContain('partner-payments-service');
    }
  });

  it('refuses in the shapes of every error, and says nothing of its folder', async () => {
    const script = '/console/assets/index-B2x9kQ1a.js';
    for (const range of ['bytes=999999999-', 'bytes=9-1', 'x']) {
      const { status, body } = await get(script, { range });
      expect({ range, status, body }).toEqual({ range, status: 200, body: SCRIPT });
    }
    const conditional = await get(script, { 'if-match': '"another"' });
    expect(conditional.status).toBe(400);
    expect(conditional.body).toMatchObject({ statusCode: 'Error', error: { name: 'InvalidInputError' } });
    const name = join(folder, 'icon.svg');
    await rm(name);
    await symlink('icon.svg', name);
    const broken = await get('/console/icon.svg');
    expect(broken.status).toBe(500);
    expect(broken.body).toMatchObject({ statusCode: 'Error', error: { name: 'InternalError' } });
    expect(JSON.stringify(broken.body)).not.toContain('icon.svg');
  });

  it('leaves the routes of the service as they are', async () => {
    expect((await get('/console/session')).status).toBe(401);
    expect((await get('/docs')).status).toBe(200);
    expect((await call(service.url, 'POST', '/console', { body: {} })).status).toBe(405);
  });

  it('says in words that it is not built, and is not there where it is switched off', async () => {
    const unbuilt = await startService(database.url, { CONSOLE_DIR: join(folder, 'assets') });
    const off = await startService(database.url, { CONSOLE_DIR: folder, CONSOLE: 'false' });
    try {
      for (const path of ['/console', '/console/search']) {
        const { status, body } = await call(unbuilt.url, 'GET', path);
        expect({ status, body }).toEqual({ status: 404, body: expect.stringContaining('CONSOLE_DIR') });
      }
      expect((await call(unbuilt.url, 'GET', '/console/session')).status).toBe(401);
      for (const path of ['/console', '/console/search', '/console/session']) {
        const answer = await call(off.url, 'GET', path);
        expect(answer).toMatchObject({ status: 404, body: { error: { name: 'RouteNotFound' } } });
      }
    } finally {
      await unbuilt.stop();
      await off.stop();
    }
  });
});
