import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { followed } from '../support/followed.js';
import { Markers } from '../support/markers.js';
import { PrivateTraffic } from '../support/private-traffic.js';
import { productionSettings } from '../support/secret-settings.js';
import { startService } from '../support/service.js';
import { type Receiver, startReceiver } from '../support/webhook-receiver.js';

/**
 * A day in production mode at the most verbose log level, with payments, refusals, failing webhooks, broken connections
 * and a killed process; then everything that was written anywhere is looked through for what must not be there.
 */

const markers = new Markers();
const env = productionSettings();
const role = `leak_${randomBytes(4).toString('hex')}`;
const outputs: string[] = [];

let database: TestDatabase;
let receiver: Receiver;
let traffic: PrivateTraffic;
let metrics: string;
let dump: Map<string, string>;
let folder: string;
let files: string;

beforeAll(async () => {
  database = await createDatabase();
  receiver = await startReceiver((response, request) => {
    const answers: Record<string, [number, Record<string, string>?]> = {
      '/fail': [500],
      '/gone': [410],
      '/redirect': [302, { location: 'http://127.0.0.1:1/' }],
    };
    if (request.url === '/hang-up') return void request.socket.destroy();
    response.writeHead(...(answers[request.url!] ?? [200])).end('an answer of the receiver');
  });
  const password = markers.add('password of the database', randomBytes(18).toString('base64url'));
  await database.query(`create role ${role} superuser login password '${password}'`);
  const url = Object.assign(new URL(database.url), { username: role, password }).href;
  for (const name of ['JWT_SECRET', 'KEY_PEPPER', 'MASTER_KEY', 'CHECKPOINT_SIGNING_KEY', 'PAYLOAD_SIGNING_KEY']) {
    markers.add(name, env[name]!);
    if (name.startsWith('KEY') || name.startsWith('MASTER')) markers.add(`${name}, its bytes`, hexOf(env[name]!));
  }
  const adminToken = markers.add('ADMIN_TOKEN', env.ADMIN_TOKEN!.slice('ana:'.length));
  folder = await mkdtemp(join(tmpdir(), 'payments-privacy-'));
  const settings = { ...env, LOG_LEVEL: 'debug', CHECKPOINT_INTERVAL_SECONDS: '1', DATA_DIR: folder };
  let service = await startService(url, settings);

  traffic = new PrivateTraffic(service.url, adminToken, `http://127.0.0.1:${receiver.port}`, markers);
  await traffic.register();
  await traffic.logIn();
  await traffic.move();
  await traffic.payOut();
  await breakConnections();
  await traffic.move();
  await service.kill('SIGKILL');
  outputs.push(service.output());
  await service.stop();

  service = await startService(url, settings);
  traffic.base = service.url;
  await traffic.takeIn();
  await deliveriesEnd();
  for (const { body } of receiver.received) {
    const secret = /receipts\/[^/]+\/([\w-]+)/.exec(body)?.[1];
    if (secret) markers.add(`receipt ${secret}`, secret);
  }
  metrics = await (await fetch(`${service.url}/metrics`)).text();
  await eventually(async () => (await fetch(`${service.url}/checkpoints/1`)).status === 200);
  await service.kill('SIGTERM');
  outputs.push(service.output());
  dump = await dumpOf();
  files = filesBelow(folder);
  await service.stop();
}, 120_000);

afterAll(async () => {
  await receiver?.close();
  await database.query(`reassign owned by ${role} to current_user`);
  await database.query(`drop owned by ${role}`);
  await database.query(`drop role ${role}`);
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** As PostgreSQL shows bytes. */
const hexOf = (base64: string) => Buffer.from(base64, 'base64').toString('hex');

async function breakConnections(): Promise<void> {
  await database.query(`select pg_terminate_backend(pid) from pg_stat_activity where usename = $1`, [role]);
  await eventually(async () => (await traffic.partner('GET', '/accounts')).status === 200);
}

/** All payments are told of but the payout that the sandbox holds: also those that the killed process had begun. */
async function deliveriesEnd(): Promise<void> {
  await eventually(
    async () => {
      const open = `select id from transaction where type in ('CashOut', 'Refund') and state = 'Registered'`;
      return (await database.query(open)).length === 1;
    },
    { within: 30_000 },
  );
  await followed(database);
  await eventually(
    async () => {
      const waiting = await database.query(`select 1 from webhook_delivery where status in ('Pending', 'Retrying')`);
      return waiting.length === 0 && receiver.received.some(({ path }) => path === '/ok');
    },
    { within: 30_000 },
  );
}

/** Every row of every table, as text, by table. */
async function dumpOf(): Promise<Map<string, string>> {
  const tables = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'sandbox')`,
  );
  const dumped = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await database.query<{ row: string }>(`select t::text as row from ${name} t`);
    dumped.set(name, rows.map(({ row }) => row).join('\n'));
  }
  return dumped;
}

function filesBelow(path: string): string {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n');
}

describe('the day', () => {
  it('had everything in it that could leak', () => {
    expect(markers.size).toBeGreaterThan(45);
    // What is looked for was really on its way: the receiver got it, as it should.
    const received = receiver.received.map(({ body, headers }) => `${body} ${JSON.stringify(headers)}`).join('\n');
    const arrived = markers.in(received);
    for (const what of [
      'name of the Recipient',
      'tax number of the Payer',
      'description of a payout',
      'header value for ok',
    ]) {
      expect(arrived).toContain(what);
    }
    expect(arrived.some((what) => what.startsWith('receipt '))).toBe(true);
    expect(traffic.refusals.length).toBeGreaterThan(20);
    const log = outputs.join('\n');
    for (const line of ['"level":"debug"', '"level":"warn"', '"msg":"request"', 'webhook attempt failed']) {
      expect(log).toContain(line);
    }
  });

  it('would have shown what is stored as it is, in the same search', () => {
    const control = new Markers();
    control.add('orderId', traffic.orderId);
    const found = [...dump].filter(([, rows]) => control.in(rows).length > 0).map(([table]) => table);
    expect(found).toEqual(expect.arrayContaining(['public.event', 'public.transaction', 'public.webhook_delivery']));
    control.add('bytes', 'a secret in bytes');
    expect(control.in(`(1,"\\\\x${Buffer.from('xx a secret in bytes').toString('hex')}")`)).toEqual(['bytes']);
    for (const before of ['', 'a', 'ab', 'abc']) {
      expect(control.in(Buffer.from(`${before}a secret in bytes.`).toString('base64'))).toEqual(['bytes']);
    }
  });
});

describe('nothing secret and nothing personal', () => {
  it('is in the logs', () => {
    for (const output of outputs) expect(linesWith(output)).toEqual([]);
  });

  it('is in the metrics', () => {
    expect(metrics).toContain('http_request_seconds');
    expect(markers.in(metrics)).toEqual([]);
  });

  it('is in an error answer, but for what its caller has just sent', () => {
    const told = traffic.refusals.flatMap(({ sent, got }) => markers.in(got, sent).map((what) => ({ what, got })));
    expect(told).toEqual([]);
  });

  it('is in a table, in clear or merely encoded', () => {
    expect(dump.size).toBeGreaterThan(20);
    const found = [...dump].flatMap(([table, rows]) => markers.in(rows).map((what) => `${what} in ${table}`));
    expect(found).toEqual([]);
  });

  it('is in the files beside the database', () => {
    expect(files).toContain('partner-payments-service/');
    expect(markers.in(files)).toEqual([]);
  });
});

function linesWith(output: string): string[] {
  return output.split('\n').flatMap((line) => markers.in(line).map((what) => `${what}: ${line.slice(0, 500)}`));
}
