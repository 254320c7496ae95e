import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { serviceConnection } from '../../src/platform/database/connection-settings.js';
import { MIGRATION_LOCK } from '../../src/platform/database/migrated.js';
import { ownerClient } from '../../src/platform/database/owner-client.js';
import { OperatorApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-fixture.js';
import { type Service, startService } from '../support/service.js';

/** Parameters in URLs of providers, and some that would remove the service's timeouts. */
const PARAMETERS = {
  options: '-c work_mem=7MB -c search_path=extra,public -c role=none -c statement_timeout=0',
  application_name: 'theirs',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
};

let database: TestDatabase;
let url: string;
let service: Service;

beforeAll(async () => {
  database = await createDatabase();
  const address = new URL(database.url);
  for (const [name, value] of Object.entries(PARAMETERS)) address.searchParams.set(name, value);
  url = address.href;
  service = await startService(url);
  await new OperatorApi(service.url).partner(['1.00']);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
});

describe('parameters of DATABASE_URL', () => {
  it('change neither the role nor the limits, while other server options are kept', async () => {
    const limits = { statementTimeout: 5_000, lockTimeout: 4_000, idleInTransaction: 3_000 };
    const client = new pg.Client(serviceConnection(url, 'lane', limits));
    await client.connect();
    try {
      const { rows } = await client.query(`
        select current_user as role, current_setting('application_name') as name, current_setting('search_path') as path,
          current_setting('work_mem') as memory,
          current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
          current_setting('idle_in_transaction_session_timeout') as idle`);
      expect(rows).toEqual([
        {
          role: 'payments_service',
          name: 'payments lane',
          path: 'public',
          memory: '7MB',
          statement: '5s',
          lock: '4s',
          idle: '3s',
        },
      ]);
    } finally {
      await client.end();
    }
  });

  it('do not hide a running service from a change of the master key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ledger-url-'));
    const file = join(folder, 'new-key');
    await writeFile(file, Buffer.alloc(32, 9).toString('base64'));
    try {
      const { code, stderr } = await runLedger(['rotate-master-key', '--new-key-file', file], { DATABASE_URL: url });
      expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('Stop all of them first') });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

it.each(['DATABASE_URL', 'MIGRATION_DATABASE_URL'])('%s is named where nobody answers there', async (setting) => {
  const nowhere = new URL(database.url);
  nowhere.port = '1';
  const settings = { [setting]: nowhere.href };
  const line = new RegExp(`^${setting}: the database cannot be reached: connect ECONNREFUSED .*\n$`, 'm');
  const start = startService(database.url, settings);
  await expect(start).rejects.toThrow(line);
  const { code, stderr } = await runLedger(['migrate'], { DATABASE_URL: database.url, ...settings });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(line) });
});

it.each([
  ['rebuild', '--projection', 'entries'],
  ['rebuild', '--projection', 'tree-nodes'],
  ['rotate-master-key', '--new-key-file', 'new-key'],
  ['distribute', '--move'],
])(
  'an owner of another database is told from one of the same: what is read here is not written there. %s',
  async (...args) => {
    const folder = await mkdtemp(join(tmpdir(), 'ledger-url-'));
    await writeFile(join(folder, 'new-key'), Buffer.alloc(32, 9).toString('base64'));
    const other = await createDatabase();
    const tables = () =>
      other.query(`
        select relname, oid, (select array_agg(f::text order by name) from setting_fingerprint f) as keys
        from pg_class where relnamespace = 'public'::regnamespace order by relname`);
    try {
      const found = await tables();
      const { code, stdout, stderr } = await runLedger(
        args.map((arg) => (arg === 'new-key' ? join(folder, arg) : arg)),
        { DATABASE_URL: database.url, MIGRATION_DATABASE_URL: other.url },
      );
      expect({ code, stdout, stderr }).toEqual({
        ...{ code: 2, stdout: '' },
        stderr: expect.stringMatching(/^MIGRATION_DATABASE_URL and DATABASE_URL name different databases: .*\n$/),
      });
      expect(await tables()).toEqual(found);
    } finally {
      await other.drop();
      await rm(folder, { recursive: true });
    }
  },
  30_000,
);

it.each([
  ['rebuild', '--projection', 'entries'],
  ['distribute', '--dry-run'],
  ['placement', '--seconds', '1'],
])(
  'an owner who is not reached is named: %s',
  async (...args) => {
    const nowhere = new URL(database.url);
    nowhere.port = '1';
    const settings = { DATABASE_URL: database.url, MIGRATION_DATABASE_URL: nowhere.href };
    const line = /^MIGRATION_DATABASE_URL: the database cannot be reached: .*\n$/;
    expect(await runLedger(args, settings)).toMatchObject({ code: 2, stderr: expect.stringMatching(line) });
  },
  30_000,
);

it('a database that is not there is named in one line', async () => {
  const other = new URL(database.url);
  other.pathname = '/nothing';
  await expect(startService(other.href)).rejects.toThrow(/^DATABASE_URL: .*database "nothing" does not exist\n$/m);
});

it('a database that takes no more connections during a start says so in one line', async () => {
  const role = `${new URL(database.url).pathname.slice(1)}_few`;
  await database.query(`create role ${role} login password 'few' connection limit 1 in role payments_service`);
  try {
    const few = Object.assign(new URL(database.url), { username: role, password: 'few' }).href;
    const told = new RegExp(
      `^The database was reached, and failed then: too many connections for role "${role}"\\..*\\n$`,
      'm',
    );
    await expect(startService(few, { MIGRATE_AT_START: 'false' })).rejects.toThrow(told);
    await expect(startService(few, { MIGRATE_AT_START: 'false' })).rejects.not.toThrow('    at ');
  } finally {
    await database.query(`drop role ${role}`);
  }
}, 60_000);

it("a database that is another application's is left as it is", async () => {
  const other = await createDatabase({ template: 'template1' });
  try {
    await other.query('create table account (id int)');
    const line =
      /^The database is another application's: it has account, and was never migrated by this service\. .*\n$/m;
    await expect(startService(other.url)).rejects.toThrow(line);
    const { code, stderr } = await runLedger(['migrate'], { DATABASE_URL: other.url });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(line) });
    const tables = await other.query(`
      select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`);
    expect(tables).toEqual([{ relname: 'account' }]);
  } finally {
    await other.drop();
  }
});

it('a database of another encoding is refused before the first migration', async () => {
  const server = new URL(database.url);
  const name = `latin_${process.pid}`;
  await database.query(
    `create database ${name} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0 locale_provider libc`,
  );
  try {
    server.pathname = `/${name}`;
    const line = /^The database has the encoding LATIN1, and must have UTF8\. Nothing was changed\. .*\n$/m;
    const { code, stderr } = await runLedger(['migrate'], { DATABASE_URL: server.href });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(line) });
  } finally {
    await database.query(`drop database ${name} with (force)`);
  }
});

describe('settings of the database', () => {
  const set = async (on: TestDatabase, settings: readonly string[]) => {
    for (const one of settings) await on.query(`alter database "${new URL(on.url).pathname.slice(1)}" set ${one}`);
  };

  it('change neither how times, figures and definitions are read, nor nulls in lists, nor what a lock shows', async () => {
    await set(database, ["datestyle = 'SQL, DMY'", 'array_nulls = off', 'extra_float_digits = -15']);
    await set(database, ["default_transaction_isolation = 'serializable'", "idle_session_timeout = '1min'"]);
    await set(database, ['quote_all_identifiers = on', 'standard_conforming_strings = off']);
    const limits = { statementTimeout: 5_000, lockTimeout: 4_000, idleInTransaction: 3_000 };
    const sessions = [
      new pg.Client(serviceConnection(database.url, 'lane', limits)),
      ownerClient(database.url, 'payments rebuild'),
    ];
    for (const client of sessions) {
      await client.connect();
      try {
        const { rows } = await client.query(
          String.raw`
            select $1::timestamptz as time, $2::text[] as list, date_part('epoch', $1::timestamptz) as seconds,
              '\\' as slashes, pg_get_indexdef('log_head_pkey'::regclass) as definition,
              current_setting('transaction_isolation') as isolation, current_setting('idle_session_timeout') as idle`,
          ['2026-02-01T10:00:00Z', ['a', null]],
        );
        expect(rows).toEqual([
          {
            time: new Date('2026-02-01T10:00:00Z'),
            list: ['a', null],
            seconds: 1_769_940_000,
            slashes: '\\\\',
            definition: expect.not.stringContaining('"'),
            isolation: 'read committed',
            idle: '0',
          },
        ]);
      } finally {
        await client.end();
      }
    }
    const { code, stdout } = await runLedger(['verify'], { DATABASE_URL: database.url });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('OK: nothing diverges') });
  });

  it('change neither where migrations make their tables, nor how long they may take', async () => {
    const fresh = await createDatabase({ template: 'template1' });
    const busy = new pg.Client({ connectionString: fresh.url });
    try {
      await fresh.query('create schema app');
      await set(fresh, ['search_path = app, public', "statement_timeout = '200ms'"]);
      await busy.connect();
      await busy.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const migrating = runLedger(['migrate'], { DATABASE_URL: fresh.url });
      const waits = `
        select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'
          and query_start < clock_timestamp() - interval '400 ms'`;
      await eventually(async () => (await fresh.query(waits)).length === 1);
      await busy.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      const { code, stderr } = await migrating;
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const elsewhere = `select relname from pg_class where relnamespace = 'app'::regnamespace`;
      expect(await fresh.query(elsewhere)).toEqual([]);
      const { code: verified } = await runLedger(['verify'], { DATABASE_URL: fresh.url });
      expect(verified).toBe(0);
    } finally {
      await busy.end();
      await fresh.drop();
    }
  }, 60_000);
});
