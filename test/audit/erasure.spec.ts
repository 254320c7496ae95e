import { writeFile } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-fixture.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { type Service, SETTINGS, startService } from '../support/service.js';
import { deadPort } from '../support/webhook-receiver.js';

const PERSON = '52998224725';

let database: TestDatabase;
let dataDir: string;
let service: Service;
let operator: OperatorApi;
let partner: TestPartner;
let account: string;
let api: PartnerApi;

beforeEach(async () => {
  database = await createDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'ledger-erasure-'));
  await start();
  partner = await operator.partner(['100.00']);
  const opened = await operator.post(`/partners/${partner.uid}/accounts`, {
    name: 'Maria da Silva',
    taxNumber: PERSON,
  });
  account = opened.uid;
  await operator.post(`/accounts/${account}/credits`, { amount: '50.00', reason: 'Maria' });
  const credentials = await operator.post(`/accounts/${account}/access-keys`, {});
  api = await PartnerApi.login(service.url, credentials);
  const body = { refAccountCredit: partner.accounts[0], transferAmount: '10.00', transferDescription: 'From Maria' };
  expect((await api.post('/accounts/transfer', body)).status).toBe(201);
}, 30_000);

afterEach(async () => {
  await service?.stop();
  await database?.drop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await startService(database.url, { DATA_DIR: dataDir, CHECKPOINT_INTERVAL_SECONDS: '1', ...env });
  operator = new OperatorApi(service.url);
}

const ledger = (args: string[], env: Record<string, string> = {}) =>
  runLedger(args, { DATABASE_URL: database.url, DATA_DIR: dataDir, RETENTION_YEARS: '0', ...env });

const show = async () => (await api.get(`/accounts/${account}`)).body.data;

async function statement(): Promise<any[]> {
  return (await api.get(`/accounts/${account}/statement`)).body.data.items;
}

describe('ledger forget', () => {
  it('makes everything personal unreadable, while balances, proofs and amounts stay whole', async () => {
    const before = await show();
    expect(before).toMatchObject({ name: 'Maria da Silva', taxNumber: PERSON });
    const lines = await eventually(async () => (await statement()).length === 2 && statement());
    expect(lines.map(({ description }) => description)).toEqual(['From Maria', 'Maria']);

    const { code, stdout } = await ledger(['forget', '--tax-number', '529.982.247-25']);
    expect(stdout).toContain('is forgotten');
    expect(code).toBe(0);

    const after = await eventually(
      async () => {
        const now = await show();
        return now.name === '' && now;
      },
      { within: 2_000 },
    );
    expect(after).toEqual({ ...before, name: '', taxNumber: '', branch: '', number: '', digit: '' });
    const amounts = lines.map((line) => ({ ...line, description: '' }));
    expect(await eventually(async () => (await statement())[0].description === '' && statement())).toEqual(amounts);
    // Another subject of the same partner is as it was.
    expect((await api.get(`/accounts/${partner.accounts[0]}`)).body.data.name).toBe('Conta 1');
    const events = await database.query(
      `select partition from event where type = 'SubjectForgotten' order by partition`,
    );
    expect(events).toHaveLength(2);
    expect(await ledger(['verify'])).toMatchObject({ code: 0 });
    // The account is alive: money moves, and what is written about it from now on has a new subject.
    expect((await api.transfer(partner.accounts[0]!, '1.00')).status).toBe(201);
    expect(await ledger(['verify'])).toMatchObject({ code: 0 });
    expect(await ledger(['forget', '--tax-number', PERSON])).toMatchObject({ code: 2 });
  }, 30_000);

  it('refuses while the law wants the data kept, and says until when', async () => {
    const { code, stderr } = await ledger(['forget', '--tax-number', PERSON], { RETENTION_YEARS: '10' });
    expect(code).toBe(2);
    expect(stderr).toMatch(/must be kept until \d{4}-\d\d-\d\d/);
    expect((await show()).name).toBe('Maria da Silva');
  }, 30_000);

  it('waits for open transactions', async () => {
    const created = await api.post('/accounts/pix/cashin', {
      webhook: { url: 'https://example.com/hook' },
      transaction: { orderId: 'order-1' },
      payment: { value: { original: '5.00' } },
      payer: { name: 'Maria da Silva', cpf: PERSON },
    });
    expect(created.status).toBe(201);
    const id = created.body.data.transaction.id;
    const refused = await ledger(['forget', '--tax-number', PERSON, '--no-wait']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('1 open transactions');
    const waiting = ledger(['forget', '--tax-number', PERSON]);
    expect((await api.post(`/accounts/pix/cashin/${id}/cancel`)).status).toBe(200);
    // Its delivery to nobody would be tried for days: the operator stops it, whenever it comes.
    let over = false;
    void waiting.then(() => (over = true));
    await eventually(
      async () => {
        await database.query(`update webhook_delivery set status = 'Stopped', due_at = null where status <> 'Stopped'`);
        return over;
      },
      { within: 30_000, every: 200 },
    );
    expect(await waiting).toMatchObject({ code: 0 });
  }, 60_000);

  it('refuses after waiting, too, when something happened meanwhile that the law wants kept', async () => {
    const [transfer] = await database.query('select partition, id from transaction where account_uid = $1', [account]);
    await database.query('alter table event disable trigger all');
    await database.query(`update event set time = time - interval '20 years'`);
    await database.query('alter table event enable trigger all');
    await database.query(
      `insert into webhook_delivery (partition, id, position, chain, transaction_id, transaction_state, account_uid,
         partner_uid, lane, url, material, status)
       values ($1, $2, 1, $2, $2, 'Completed', $3, $3, $3, 'https://example.com', '{}', 'Pending')`,
      [transfer!.partition, transfer!.id, account],
    );
    const waiting = ledger(['forget', '--tax-number', PERSON], { RETENTION_YEARS: '10' });
    await eventually(
      async () => (await database.query(`select from pg_stat_activity where query like '%as deliveries'`)).length > 0,
      { within: 30_000 },
    );
    expect((await api.transfer(partner.accounts[0]!, '1.00')).status).toBe(201);
    await database.query(`update webhook_delivery set status = 'Stopped'`);
    expect(await waiting).toMatchObject({ code: 2, stderr: expect.stringMatching(/waiting.*must be kept until/s) });
    expect((await show()).name).toBe('Maria da Silva');
  }, 60_000);

  it('knows nobody by a number that nobody has', async () => {
    const { code, stderr } = await ledger(['forget', '--tax-number', '11144477735']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Nobody') });
  }, 30_000);
});

describe('ledger rotate-master-key', () => {
  it('puts every key under the new one; subjects are still found, webhook secrets still sign', async () => {
    const port = await deadPort();
    // Sealed, four bytes are as long as a keyed hash.
    const header = { customHeaderName: 'X-Stage', customHeaderValue: 'prod' };
    const { body } = await api.post('/webhooks/test', { url: `http://127.0.0.1:${port}/`, ...header });
    const key = Buffer.alloc(32, 9).toString('base64');
    const file = join(dataDir, 'new-key');
    await writeFile(file, `${key}\n`);
    expect((await ledger(['rotate-master-key', '--new-key-file', file])).stderr).toContain('Stop all of them first');
    await service.kill('SIGTERM');
    const { code, stdout } = await ledger(['rotate-master-key', '--new-key-file', file]);
    expect(stdout).toMatch(/[1-9]\d* subject keys and [1-9]\d* secrets/);
    expect(code).toBe(0);
    await expect(start()).rejects.toThrow('MASTER_KEY');
    await start({ MASTER_KEY: key });
    api = api.on(service.url);
    expect(await show()).toMatchObject({ name: 'Maria da Silva', taxNumber: PERSON });
    const receiver = await PartnerReceiver.start([partner.webhookSecret], port);
    try {
      await api.post(`/webhooks/deliveries/${body.data.deliveryId}/redeliver`);
      expect(await receiver.arrived('/', 1)).toMatchObject([{ verifiedBy: 0, headers: { 'x-stage': 'prod' } }]);
    } finally {
      await receiver.stop();
    }
    // The same person is the same subject, not a new one.
    const subjects = async () => (await database.query('select count(*)::int as count from subject_key'))[0]!.count;
    const before = await subjects();
    await operator.post(`/partners/${partner.uid}/accounts`, { name: 'Maria da Silva', taxNumber: PERSON });
    expect(await subjects()).toBe(before);
    const again = { name: 'Again', taxNumber: partner.taxNumber };
    await expect(operator.post('/partners', again)).rejects.toThrow('TaxNumberAlreadyRegistered');
    expect(await ledger(['verify'], { MASTER_KEY: key })).toMatchObject({ code: 0 });
    expect(await ledger(['forget', '--tax-number', PERSON], { MASTER_KEY: key })).toMatchObject({ code: 0 });
    expect(SETTINGS.MASTER_KEY).not.toBe(key);
  }, 60_000);

  const connected = async (name: string) => {
    const client = new pg.Client({ connectionString: database.url, application_name: name });
    await client.connect();
    return client;
  };
  const waitingForLock = (query: string) =>
    eventually(
      async () =>
        (
          await database.query(
            `select from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
            [query],
          )
        ).length > 0,
      { within: 20_000 },
    );

  it('is refused, and changes nothing, when a service comes while it is under way', async () => {
    await service.kill('SIGTERM');
    const file = join(dataDir, 'new-key');
    await writeFile(file, Buffer.alloc(32, 9).toString('base64'));
    const holder = await connected('holder');
    await holder.query('begin');
    await holder.query('lock table subject_key in row exclusive mode');
    const rotating = ledger(['rotate-master-key', '--new-key-file', file]);
    await waitingForLock('lock table subject_key%');
    const newcomer = await connected('payments news');
    await holder.end();
    const { code, stderr } = await rotating;
    await newcomer.end();
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Stop all of them first') });
    await start();
  }, 60_000);

  it('is seen by a service that starts while it ends, or sees that service', async () => {
    await service.kill('SIGTERM');
    const rotation = await connected('rotation');
    await rotation.query('begin');
    await rotation.query('lock table setting_fingerprint in share row exclusive mode');
    const starting = start();
    starting.catch(() => undefined);
    await waitingForLock('insert into setting_fingerprint%');
    const lanes = await database.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'payments lane'`,
    );
    await rotation.query(`update setting_fingerprint set fingerprint = '\\x00' where name = 'MASTER_KEY'`);
    await rotation.query('commit');
    await rotation.end();
    await expect(starting).rejects.toThrow('MASTER_KEY');
    expect(lanes).toHaveLength(1);
  }, 60_000);

  it('is seen by a service that had lost all connections meanwhile: it writes nothing, and is not ready', async () => {
    await service.kill('SIGTERM');
    const proxy = await DatabaseProxy.start(database.url);
    try {
      service = await startService(proxy.url, { DATA_DIR: dataDir });
      operator = new OperatorApi(service.url);
      await operator.partner(['1.00']);
      proxy.refuse(true);
      const file = join(dataDir, 'new-key');
      await writeFile(file, Buffer.alloc(32, 9).toString('base64'));
      await eventually(async () => (await ledger(['rotate-master-key', '--new-key-file', file])).code === 0, {
        within: 20_000,
      });
      proxy.refuse(false);
      const events = async () => (await database.query('select sum(position)::int as count from log_head'))[0]!.count;
      const before = await events();
      const ready = await eventually(
        async () => {
          await expect(operator.partner([])).rejects.toThrow('503');
          const answer = await fetch(`${service.url}/health/ready`);
          const body = await answer.text();
          return body.includes('MASTER_KEY') && { status: answer.status };
        },
        { within: 30_000, unless: () => true },
      );
      expect(ready).toEqual({ status: 503 });
      expect(await events()).toBe(before);
    } finally {
      await proxy.stop();
    }
  }, 60_000);
});
