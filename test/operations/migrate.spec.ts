import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { migrations } from '../../migrations/index.js';
import { call, PartnerApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-fixture.js';
import { SOURCE_MAPS, START, startService } from '../support/service.js';

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase({ template: 'template1' });
});
afterEach(() => database.drop());

const DEMO = { DEMO_PARTNER: 'true' };

const migrate = (env: Record<string, string> = {}) =>
  runLedger(['migrate'], { DATABASE_URL: database.url, LEDGER_PARTITIONS: '3', ...env });

describe('ledger migrate', () => {
  it('run by three processes at once on a fresh database applies every migration once, and each reports success', async () => {
    const runs = await Promise.all([migrate(), migrate(), migrate()]);
    for (const { code, stdout, stderr } of runs) {
      expect(stderr).toBe('');
      expect(stdout).toMatch(/OK: the database is ready/);
      expect(code).toBe(0);
    }
    const applied = runs.flatMap(({ stdout }) => [...stdout.matchAll(/^applied (\S+)$/gm)].map(([, name]) => name));
    expect(applied).toEqual(migrations.map(({ name }) => name));
    const heads = await database.query('select partition from log_head order by partition');
    expect(heads.map(({ partition }) => partition)).toEqual([0, 1, 2, 3]);
  }, 60_000);

  it('prints the operator token that it generated: the service then uses it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'payments-token-'));
    try {
      const { stderr } = await migrate({ ADMIN_TOKEN: '', DATA_DIR: dataDir });
      const [, token] = /^Operator token: (\S{32})$/m.exec(stderr)!;
      expect(JSON.parse(await readFile(join(dataDir, 'development-secrets.json'), 'utf8')).ADMIN_TOKEN).toBe(token);
      expect((await migrate({ ADMIN_TOKEN: '', DATA_DIR: dataDir })).stderr).toBe('');
    } finally {
      await rm(dataDir, { recursive: true });
    }
  }, 30_000);

  it('creates the partitions of a larger setting, and leaves the others', async () => {
    expect((await migrate({ LEDGER_PARTITIONS: '1' })).stdout).toMatch(/made partitions 0, 1/);
    const again = await migrate({ LEDGER_PARTITIONS: '2' });
    expect(again.stdout).toBe('made partitions 2\nOK: the database is ready for this version\n');
  });
});

describe('the service', () => {
  it('started three times at once on a fresh database comes up three times', async () => {
    const services = await Promise.all([1, 2, 3].map(() => startService(database.url, DEMO)));
    try {
      for (const { url } of services) expect(await call(url, 'GET', '/health/ready')).toMatchObject({ status: 200 });
      // The demo is made after "Listening".
      await eventually(() => services.some((service) => service.output().includes('access key')));
    } finally {
      await Promise.all(services.map((service) => service.stop()));
    }
    expect(services.filter((service) => service.output().includes('access key'))).toHaveLength(1);
    expect(await database.query('select uid from partner')).toHaveLength(1);
  }, 60_000);

  it('whose demo was interrupted completes it at the next start', async () => {
    await migrate();
    const noMoney = 'add constraint no_money check (system is not null or available = 0)';
    await database.query(`alter table account ${noMoney}`);
    const first = await startService(database.url, DEMO);
    await eventually(() => /the demo partner could not be made/.test(first.output()));
    await first.stop();
    await database.query('alter table account drop constraint no_money');
    const second = await startService(database.url, DEMO);
    try {
      const [, accessKey, secret] = await eventually(
        () => /access key +(\S+)\n +secret +(\S+)/.exec(second.output()) ?? undefined,
      );
      const api = await PartnerApi.login(second.url, { accessKey: accessKey!, secret: secret! });
      const { items } = (await api.get('/accounts')).body.data;
      expect(items.map(({ balance }: any) => balance.available)).toEqual(['1000.00', '500.00']);
      expect(await database.query('select uid from partner')).toHaveLength(1);
    } finally {
      await second.stop();
    }
  }, 60_000);

  it('that cannot migrate still prints its operator token: it is not generated again', async () => {
    await database.query('create table event ()');
    const failed = startService(database.url, { ADMIN_TOKEN: '' });
    await expect(failed).rejects.toThrow(/^Operator token: \S{32}$/m);
  });

  it('that cannot migrate ends with the error and a stack of TypeScript lines', async () => {
    expect(START).toContain(SOURCE_MAPS);
    await database.query('create table log_head ()');
    await expect(startService(database.url, { NODE_OPTIONS: SOURCE_MAPS })).rejects.toThrow(
      /^QueryFailedError: relation "log_head" already exists$.* \([^()\n]*migrations\/\d+-event-store\.ts:\d+:\d+\)$/ms,
    );
  });

  it('with MIGRATE_AT_START=false refuses a database that is behind, and names the command', async () => {
    const env = { MIGRATE_AT_START: 'false', LEDGER_PARTITIONS: '3' };
    await expect(startService(database.url, env)).rejects.toThrow(/Run `ledger migrate` first/);
    await migrate({ LEDGER_PARTITIONS: '2' });
    await expect(startService(database.url, env)).rejects.toThrow(/fewer than 3 partitions/);
  });

  it('with MIGRATE_AT_START=false works as a database user who owns nothing', async () => {
    await migrate();
    const [user, password] = [`app_${randomBytes(4).toString('hex')}`, randomBytes(9).toString('hex')];
    await database.query(`create role ${user} login password '${password}' in role payments_service`);
    const url = Object.assign(new URL(database.url), { username: user, password });
    const service = await startService(url.href, { ...DEMO, MIGRATE_AT_START: 'false' });
    try {
      expect((await call(service.url, 'GET', '/health/ready')).status).toBe(200);
      await eventually(() => /Demo partner/.test(service.output()));
    } finally {
      await service.stop();
      await database.query(`drop role ${user}`);
    }
  });
});
