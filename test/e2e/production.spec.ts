import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { type Answer, call, FROM_PAGE, PartnerApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-fixture.js';
import { productionSettings } from '../support/secret-settings.js';
import { type Service, startService } from '../support/service.js';

/** Production as docs/operations.md has it: the owner migrates, and the service's processes never hold its password. */

const PAYER = {
  name: 'Ana',
  taxNumber: '52998224725',
  ispb: '99999008',
  branch: '0001',
  number: '1234567',
  digit: '8',
};
const WEBHOOK = { url: 'http://127.0.0.1:65535/hook' };

let database: TestDatabase;
let service: Service;
let owner: string;
let login: string;
let serviceUrl: string;
let settings: Record<string, string>;
let token: string;

beforeAll(async () => {
  database = await createDatabase({ template: 'template1' });
  owner = `owner_${randomBytes(4).toString('hex')}`;
  login = `app_${randomBytes(4).toString('hex')}`;
  const password = randomBytes(16).toString('hex');
  settings = productionSettings();
  token = settings.ADMIN_TOKEN!.split(':')[1]!;
  const as = (user: string) => Object.assign(new URL(database.url), { username: user, password }).href;
  serviceUrl = as(login);
  // The owner is no superuser either, but where tables are distributed, which asks for one. The role may be there, made
  // for another database of this server.
  const isCitus = (await database.query(`select from pg_extension where extname = 'citus'`)).length > 0;
  await database.query(`create role ${owner} login ${isCitus ? 'superuser' : ''} password '${password}'`);
  await database.query('create role payments_service nologin').catch(() => undefined);
  await database.query(`grant payments_service to ${owner}`);
  await database.query(`alter database ${new URL(database.url).pathname.slice(1)} owner to ${owner}`);
  await database.query(`alter schema public owner to ${owner}`);
  const migrated = await runLedger(['migrate'], {
    ...settings,
    DATABASE_URL: serviceUrl,
    MIGRATION_DATABASE_URL: as(owner),
  });
  expect(migrated).toMatchObject({ code: 0, stderr: '' });
  await database.query(`create role ${login} login password '${password}' in role payments_service`);
  service = await startService(serviceUrl, { ...settings, MIGRATE_AT_START: 'false' });
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database.query(`drop owned by ${owner} cascade`).catch(() => undefined);
  await database?.drop();
  await statement(process.env.TEST_POSTGRES_URL!, `drop role if exists ${login}, ${owner}`).catch(() => undefined);
});

async function statement(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}

const admin = async (method: string, path: string, body?: unknown): Promise<any> => {
  const answer = await call(service.url, method, `/admin${path}`, { token, body });
  expect(answer.status).toBeLessThan(300);
  return answer.body.data;
};

describe('a process that holds the credentials of payments_service alone', () => {
  it('does the whole work: transfers, payouts, deposits, statements', async () => {
    const taxNumber = '11222333000181';
    const partner = await admin('POST', '/partners', { name: 'Loja Exemplo Ltda', taxNumber });
    const open = async (name: string) =>
      (await admin('POST', `/partners/${partner.uid}/accounts`, { name, taxNumber })).uid;
    const [first, second] = [await open('Caixa'), await open('Reserva')];
    await admin('POST', `/accounts/${first}/credits`, { amount: '100.00', reason: 'Teste' });
    const session = await PartnerApi.login(service.url, await admin('POST', `/accounts/${first}/access-keys`, {}));
    expect((await session.transfer(second, '10.00', 'once')).status).toBe(201);
    const order = (orderId: string) => ({ transaction: { orderId }, webhook: WEBHOOK });
    const payout = await session.post('/accounts/pix/cashout', {
      payment: {
        value: '20.00',
        key: { type: 'EMAIL', value: 'ana@example.com' },
        recipient: { cpf: PAYER.taxNumber },
      },
      ...order('out'),
    });
    const deposit = await session.post('/accounts/pix/cashin', {
      payment: { value: { original: '5.00' } },
      ...order('in'),
    });
    const paid = await call(service.url, 'POST', '/sandbox/pix/payments', {
      token,
      body: { qrCode: deposit.body.data.payment.qrCode, payer: PAYER },
    });
    expect(paid).toMatchObject({ status: 201, body: { data: { outcome: 'Settled' } } });
    for (const { body } of [payout, deposit]) {
      await eventually(async () => {
        const { transaction } = (await session.get(`/accounts/transactions/${body.data.transaction.id}`)).body.data;
        return transaction.state === 'Completed';
      });
    }
    expect(await session.balance(first)).toEqual({ available: '75.00', held: '0.00', blocked: '0.00' });
    await eventually(async () => (await session.get(`/accounts/${first}/statement`)).body.data.items.length >= 4);
  }, 30_000);

  it.each([
    ['changes no event', 'update event set data = data'],
    ['deletes none', 'delete from event'],
    ['drops no trigger', 'drop trigger event_is_append_only on event'],
    ['alters no table', 'alter table event disable trigger all'],
    ['makes no table', 'create table mine (x int)'],
    ['makes no role', 'create role mine'],
    ['is not the owner', 'reset role; alter table account add column mine int'],
    ['becomes nobody else', 'set role postgres'],
  ])('%s', async (_, sql) => {
    await expect(statement(serviceUrl, sql)).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|42704|22023)$/),
    });
  });

  it('that is told to migrate says whose rights that needs', async () => {
    const start = startService(serviceUrl, settings);
    await expect(start).rejects.toThrow(new RegExp(`user ${login} may not migrate it. Let MIGRATION_DATABASE_URL`));
    const { code, stderr } = await runLedger(['migrate'], { ...settings, DATABASE_URL: serviceUrl });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('MIGRATION_DATABASE_URL') });
  });

  it('that is told to rebuild tables says so too, without a stack', async () => {
    const { code, stderr } = await runLedger(['rebuild', '--projection', 'entries'], {
      ...settings,
      DATABASE_URL: serviceUrl,
    });
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/denied.*MIGRATION_DATABASE_URL/),
    });
    expect(stderr).not.toContain(' at ');
  });

  it.each(['migrate', 'distribute', 'rebuild', 'rotate-master-key'])(
    'finds in the help of %s that it needs the owner',
    async (name) => {
      const { stdout } = await runLedger([name, '--help'], settings);
      expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/owner/);
      expect(stdout).toContain('MIGRATION_DATABASE_URL');
    },
  );
});

describe('the sandbox in production', () => {
  const routes: readonly [string, string][] = [
    ['POST', '/sandbox/pix/payments'],
    ['POST', '/sandbox/pix/transactions/0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e/complete'],
    ['POST', '/sandbox/pix/transactions/0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e/fail'],
    ['POST', '/sandbox/pix/transactions/0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e/reverse'],
    ['GET', '/sandbox/pix/behaviour'],
    ['PUT', '/sandbox/pix/behaviour'],
  ];

  it.each(routes)("%s %s needs the operator's token", async (method, path) => {
    const ask = (more: object): Promise<Answer> =>
      call(service.url, method, path, { ...(method === 'GET' ? {} : { body: {} }), ...more });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ token: 'nonsense' })).status).toBe(401);
    expect((await ask({ token })).status).not.toBe(401);
  });

  it('takes the session of an operator at the console', async () => {
    const signedIn = await call(service.url, 'POST', '/console/session', {
      body: { credential: token },
      headers: FROM_PAGE,
    });
    const headers = { cookie: signedIn.headers.get('set-cookie')!.split(';')[0]!, ...FROM_PAGE };
    expect((await call(service.url, 'GET', '/sandbox/pix/behaviour', { headers })).status).toBe(200);
  });
});

describe('production with an https PUBLIC_URL on another host and no TRUSTED_PROXIES', () => {
  it('warns in the log and in the detail of /health/ready, and serves', async () => {
    expect(service.output()).toMatch(/"msg":"TRUSTED_PROXIES: is empty/);
    const { status, body } = await call(service.url, 'GET', '/health/ready');
    expect(status).toBe(200);
    expect(body.details.configuration).toEqual({
      status: 'up',
      warnings: [expect.stringMatching(/^TRUSTED_PROXIES: is empty, though PUBLIC_URL is https on another host/)],
    });
  });
});
