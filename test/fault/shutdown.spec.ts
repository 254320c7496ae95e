import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { type Answer, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { waitedBeside } from '../support/beside.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: Service;
let partner: TestPartner;
let api: PartnerApi;
let receiver: PartnerReceiver;

async function start(settings: Record<string, string> = {}): Promise<void> {
  service = await startService(proxy.url, settings);
  api = api?.on(service.url) ?? (await login());
}

async function login(): Promise<PartnerApi> {
  partner = await new OperatorApi(service.url).partner(['100000.00', '0.00']);
  return PartnerApi.login(service.url, partner.credentials);
}

beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.start(database.url);
  await start();
  receiver = await PartnerReceiver.start([partner.webhookSecret]);
}, 60_000);

afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
  await proxy?.stop();
  await database?.drop();
});

/** A connection on which something was sent; `text` is what has come back. */
async function open(sent: string): Promise<{ socket: Socket; text: () => string }> {
  const { port, hostname } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(sent);
  return { socket, text: () => text };
}

const terminate = async () => {
  const asked = performance.now();
  const ended = once(service.process, 'exit') as Promise<[number | null]>;
  service.process.kill('SIGTERM');
  const [code] = await ended;
  return { code, ms: performance.now() - asked };
};

const refusesConnections = async () => {
  const { port, hostname } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
  }).finally(() => socket.destroy());
};

describe('SIGTERM', () => {
  it('under load, with a caller and a receiver that hang, ends the process in time, in order, and gives its leases back', async () => {
    receiver.behave('/hang', 'hang');
    for (let i = 0; i < 10; i++) await api.post('/webhooks/test', { url: receiver.url('/hang') });
    await receiver.arrived('/hang', 3);
    const leased = await database.query('select from webhook_delivery where lease is not null');
    expect(leased.length).toBeGreaterThan(2);

    const answers: { key: string; answer: Answer }[] = [];
    const load = Array.from({ length: 20 }, async (_, client) => {
      for (let i = 0; ; i++) {
        const key = `stop-${client}-${i}`;
        const answer = await api.transfer(partner.accounts[1]!, '1.00', key).catch(() => undefined);
        if (!answer) return;
        answers.push({ key, answer });
      }
    });
    await eventually(() => answers.length > 100);
    const late = await open('GET /health/ready HTTP/1.1\r\nHost: here\r\n');
    const hanging = await open('POST /partners-int/login HTTP/1.1\r\nHost: here\r\nContent-Length: 100\r\n\r\n{');

    // An answer on a later connection, not on one that is kept: the service has accepted those two, and read them.
    const later = await open('GET /health/live HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    await eventually(() => later.text().includes('\r\n\r\n'));

    const ending = terminate();
    await eventually(refusesConnections);
    // To a worker come two: that of its process group, and the primary's.
    service.process.kill('SIGTERM');
    late.socket.write('\r\n');
    await eventually(() => late.text().includes('\r\n\r\n'));
    expect(late.text()).toMatch(/^HTTP\/1\.1 503 /);
    expect(late.text()).toMatch(/connection: close/i);
    expect(late.text()).toMatch(/retry-after: \d+/i);
    expect(late.text()).toContain('the process is stopping');
    const { code, ms } = await ending;
    await Promise.all(load);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(15_000);
    expect(hanging.socket.destroyed || hanging.socket.readableEnded).toBe(true);

    expect(await database.query('select from webhook_delivery where lease is not null')).toEqual([]);
    expect(await database.query('select from work where lease is not null')).toEqual([]);
    const refused = answers.filter(({ answer }) => answer.status !== 201);
    expect(refused.filter(({ answer }) => answer.status !== 503 || !answer.headers.get('retry-after'))).toEqual([]);
    await assertLedgerSound(database);

    // What was acknowledged is there, what was refused is not: a repetition under the key tells.
    await start();
    await Promise.all(
      answers.map(async ({ key, answer }) => {
        const again = await api.transfer(partner.accounts[1]!, '1.00', key);
        expect(again.status).toBe(201);
        expect(again.headers.get('idempotent-replayed')).toBe(answer.status === 201 ? 'true' : null);
        if (answer.status === 201) expect(again.body).toEqual(answer.body);
      }),
    );
  }, 90_000);

  it('does not wait for the tree of a checkpoint, which may have most of the log to go', async () => {
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    receiver.behave('/hang', '200');
    await service.stop();
    try {
      // As another process would: the checkpoint's round waits for that tree.
      await holder.query(`begin; select from subscription where consumer = 'tree-nodes' for update`);
      await start({ CHECKPOINT_INTERVAL_SECONDS: '1' });
      expect((await api.transfer(partner.accounts[1]!, '1.00')).status).toBe(201);
      await new Promise((resume) => setTimeout(resume, 1_500));
      const [{ code, ms }, control] = await Promise.all([terminate(), waitedBeside(1_000)]);
      expect({ code, output: service.output() }).toMatchObject({
        code: 0,
        output: expect.not.stringContaining('was cut short'),
      });
      expect(ms - control).toBeLessThan(3_000);
    } finally {
      await holder.end();
    }
  }, 60_000);

  it('with a database that does not answer ends the process at the bound that was set', async () => {
    await service.stop();
    await start({ SHUTDOWN_SECONDS: '6' });
    expect((await api.transfer(partner.accounts[1]!, '1.00')).status).toBe(201);
    proxy.stall(true);
    const [{ code, ms }, control] = await Promise.all([terminate(), waitedBeside(6_000)]);
    proxy.stall(false);
    expect(ms - control).toBeLessThan(1_400);
    if (code !== 0) expect(service.output()).toContain('was cut short');
    await assertLedgerSound(database);
  }, 60_000);
});
