import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ATTEMPT_ERRORS } from '../../src/platform/outbound/attempt-error.js';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';
import { deadPort } from '../support/webhook-receiver.js';

/** The receiver of docs/webhooks.md, run as it stands there. */

const PAGE = resolve(import.meta.dirname, '../../docs/webhooks.md');

let database: TestDatabase;
let service: Service;
let partner: TestPartner;
let session: PartnerApi;
let folder: string;
let receiver: ChildProcess;
let url: string;
let output = '';

beforeAll(async () => {
  const code = /```ts\n([\s\S]+?)```/.exec(await readFile(PAGE, 'utf8'))![1]!;
  // Beside the packages that it imports, but not below node_modules, where Node strips no types.
  folder = await mkdtemp(resolve(import.meta.dirname, '../../dist/docs-'));
  await writeFile(join(folder, 'receiver.ts'), code);
  database = await createDatabase();
  service = await startService(database.url);
  partner = await new OperatorApi(service.url).partner(['100.00']);
  session = await PartnerApi.login(service.url, partner.credentials);
  const port = await deadPort();
  url = `http://127.0.0.1:${port}/`;
  receiver = spawn(process.execPath, [join(folder, 'receiver.ts')], {
    env: { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: partner.webhookSecret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  receiver.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await eventually(async () => (await fetch(url, { method: 'POST', body: '{}' })).status > 0);
}, 60_000);

afterAll(async () => {
  if (receiver) {
    const ended = once(receiver, 'exit');
    receiver.kill('SIGKILL');
    await ended;
  }
  await service?.stop();
  await database?.drop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

describe('the receiver in the documents', () => {
  it('takes a notification of a cash-out, and its repetition only once', async () => {
    const created = await session.post('/accounts/pix/cashout', {
      payment: { value: '1.00', key: { type: 'CPF', value: '52998224725' }, recipient: { cpf: '52998224725' } },
      transaction: { orderId: 'docs' },
      webhook: { url },
    });
    const { id } = created.body.data.transaction;
    const deliveries = async () =>
      (await session.get(`/webhooks/deliveries?transactionId=${id}&status=Delivered`)).body.data.items;
    const [delivery] = await eventually(async () => {
      const items = await deliveries();
      return items.length > 0 && items;
    });
    expect(output).toBe(`transaction ${id} is Completed\n`);
    await session.post(`/webhooks/deliveries/${delivery.id}/redeliver`);
    await eventually(async () => (await deliveries())[0]?.attempts.length === 2);
    expect(output).toBe(`transaction ${id} is Completed\n`);
  });

  it('refuses what nobody signed', async () => {
    const headers = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
    for (const signature of ['v1,AAAA', `v1,${Buffer.alloc(32).toString('base64')}`]) {
      const answer = await fetch(url, {
        method: 'POST',
        body: '{"id":"x","transactionState":"Completed"}',
        headers: { ...headers, 'webhook-signature': signature },
      });
      expect(answer.status).toBe(401);
    }
    expect(output).not.toContain('transaction x');
  });
});

describe('the page', () => {
  it('names every error of an attempt, with its meaning', async () => {
    const page = await readFile(PAGE, 'utf8');
    for (const code of Object.keys(ATTEMPT_ERRORS)) expect(page).toMatch(new RegExp(`\\| \`${code}\` +\\|`));
  });
});
