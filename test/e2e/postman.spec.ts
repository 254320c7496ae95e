import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { ADMIN_TOKEN, type Service, startService } from '../support/service.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

/** The Postman collection, played as Postman plays it: variables filled in, sent, and its scripts run on the answer. */

const FILE = 'clients/postman/partner-payments.postman_collection.json';

/** The main paths, in an order in which each finds what it needs. */
const JOURNEY = [
  'POST /partners-int/login',
  'GET /partners-int/accounts',
  'GET /partners-int/accounts/:uid',
  'GET /partners-int/accounts/:uid/statement',
  'POST /partners-int/accounts/transfer',
  'GET /partners-int/accounts/transactions/:id',
  'POST /partners-int/accounts/pix/cashin',
  'POST /sandbox/pix/payments',
  'POST /partners-int/accounts/pix/cashin/:id/refunds',
  'POST /partners-int/accounts/pix/cashin',
  'POST /sandbox/pix/transactions/:id/complete',
  'POST /partners-int/accounts/pix/cashin',
  'POST /partners-int/accounts/pix/cashin/:id/cancel',
  'POST /partners-int/accounts/pix/cashout',
  'GET /partners-int/accounts/transactions/:id',
  'GET /partners-int/accounts/transactions',
  'POST /partners-int/webhooks/test',
  'GET /partners-int/webhooks/deliveries',
  'POST /admin/accounts/:uid/credits',
  'GET /admin/partners/:uid',
  'POST /console/session',
  'GET /console/session',
  'DELETE /console/session',
  'GET /health/ready',
];

let database: TestDatabase;
let service: Service;
let receiver: Receiver;
let items: Map<string, any>;
let collection: any;
const variables = new Map<string, string>();
/** The newest cookie that was set: the service knows one only. */
let cookie: string | undefined;

beforeAll(async () => {
  collection = JSON.parse(await readFile(FILE, 'utf8'));
  items = new Map(
    collection.item.flatMap(({ item }: any) =>
      item.map((one: any) => [`${one.request.method} ${one.request.url.raw.replace('{{baseUrl}}', '')}`, one]),
    ),
  );
  for (const { key, value } of collection.variable) variables.set(key, value);
  database = await createDatabase();
  service = await startService(database.url, { PUBLIC_URL: 'http://pay.example.com' });
  receiver = await startReceiver((response) => void response.writeHead(204).end());
  const { uid, credentials } = await new OperatorApi(service.url).partner(['100.00', '0.00']);
  const given = { ...credentials, baseUrl: service.url, adminToken: ADMIN_TOKEN, partnerUid: uid };
  for (const [key, value] of Object.entries(given)) variables.set(key, value);
  variables.set('webhookUrl', `http://127.0.0.1:${receiver.port}/hook`);
});

afterAll(async () => {
  await receiver?.close();
  await service?.stop();
  await database?.drop();
});

function filled(text: string): string {
  return text.replace(/\{\{([$\w]+)\}\}/g, (_all, name: string) => {
    if (name === '$guid') return randomUUID();
    if (!variables.get(name)) throw new Error(`the variable ${name} has no value`);
    return variables.get(name)!;
  });
}

/** Sends a request; gives the names of its tests that failed. */
async function play({ request, event }: any): Promise<string[]> {
  const { url, auth, header, body, method } = request;
  const path = url.path.map((part: string) =>
    part.startsWith(':') ? url.variable.find(({ key }: any) => key === part.slice(1)).value : part,
  );
  const query = url.query.filter(({ disabled }: any) => !disabled).map(({ key, value }: any) => `${key}=${value}`);
  const headers = Object.fromEntries(header.map(({ key, value }: any) => [key.toLowerCase(), filled(value)]));
  if (cookie) headers.cookie = cookie;
  const {
    status,
    body: answer,
    headers: answered,
  } = await call(
    filled(url.host[0]),
    method,
    filled(`/${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`),
    {
      headers,
      body: body && filled(body.raw),
      ...(auth.type === 'bearer' && { token: filled(auth.bearer[0].value) }),
    },
  );
  cookie = answered.get('set-cookie')?.split(';')[0] ?? cookie;
  const failed: string[] = [];
  const pm = {
    test: (name: string, check: () => void) => {
      try {
        check();
      } catch (error) {
        failed.push(`${name}: ${String(error)} ${JSON.stringify(answer)}`);
      }
    },
    response: {
      code: status,
      json: () => answer,
      to: { have: { status: (expected: number) => expect(status).toBe(expected) } },
    },
    collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
  };
  for (const { script } of event) runInNewContext(script.exec.join('\n'), { pm });
  return failed;
}

describe('the Postman collection', () => {
  it('leads from the login to payments and their webhooks', async () => {
    for (const route of JOURNEY) expect([route, await play(items.get(route))]).toEqual([route, []]);
  });

  it('holds every route of the document, and declares every variable that it uses', async () => {
    const { paths } = JSON.parse(await readFile('openapi.json', 'utf8'));
    const routes = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
    );
    expect([...items.keys()].sort()).toEqual(routes.sort());
    const used = new Set([...JSON.stringify(collection).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!));
    expect([...used].filter((name) => !variables.has(name))).toEqual([]);
  });
});
