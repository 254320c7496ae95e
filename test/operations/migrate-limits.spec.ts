import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { applyMigrations, migrate, TableInUse } from '../../src/platform/database/migrate.js';
import { ownerClient } from '../../src/platform/database/owner-client.js';
import { carryOut } from '../../src/platform/distribution/distribute.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { runLedger } from '../support/ledger-cli.js';

/** It drops an index of `transaction` and makes it again, so that it can be run once more. */
const MIGRATION = 'SummariesOfTwoPages1763685490000';

let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
  await migrate({ url: database.url, partitions: 1 });
});
afterAll(() => database?.drop());

const settings = () => ({ url: database.url, partitions: 1 });
const forget = () => database.query('delete from schema_migration where name = $1', [MIGRATION]);

describe('a migration', () => {
  it('waits shortly for a table that is read, again and again, and says so; others wait for it as long as it takes', async () => {
    await forget();
    const printed = jest.spyOn(console, 'log');
    const waits: string[] = [];
    const onWaiting = (what: string) => void waits.push(what);
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('begin');
    await reader.query('select from transaction');
    let attempts = 0;
    const apply = (url: string) => {
      attempts++;
      return applyMigrations(url);
    };
    const migrations = [migrate({ ...settings(), onWaiting }, apply, 1)];
    try {
      await eventually(() => attempts === 1);
      migrations.push(migrate(settings()));
      await eventually(
        async () => {
          const waiting = await database.query(`
            select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'
              and query_start < clock_timestamp() - interval '3500 ms'`);
          return attempts > 1 && waiting.length === 1;
        },
        { within: 25_000 },
      );
      await reader.query('commit');
      expect(await Promise.all(migrations)).toEqual([
        { applied: [MIGRATION], partitions: [] },
        { applied: [], partitions: [] },
      ]);
      expect(waits).toHaveLength(attempts - 1);
      expect(new Set(waits)).toEqual(new Set([expect.stringMatching(`^${MIGRATION} \\(drop index`)]));
      expect(printed).not.toHaveBeenCalled();
    } finally {
      printed.mockRestore();
      await reader.end();
      await Promise.allSettled(migrations);
    }
  }, 60_000);

  it('that gets no lock ends with its name, its statement and what to do', async () => {
    await forget();
    const apply = () =>
      Promise.reject(Object.assign(new Error('timeout'), { code: '55P03', query: '\n  drop index\n    some_index' }));
    const failed = migrate(settings(), apply, 1);
    await expect(failed).rejects.toThrow(TableInUse);
    await expect(failed).rejects.toThrow(
      /^SummariesOfTwoPages1763685490000 \(drop index some_index\) waits for a table .* `select pid, /,
    );
  });

  it('keeps its lock however long it takes, whatever limit the database has for idle sessions', async () => {
    await forget();
    const name = new URL(database.url).pathname.slice(1);
    const held = `
      select from pg_locks join pg_database d on d.oid = database
      where d.datname = current_database() and locktype = 'advisory' and granted`;
    const found: number[] = [];
    const apply = async (url: string) => {
      await new Promise((resume) => setTimeout(resume, 600));
      found.push((await database.query(held)).length);
      return applyMigrations(url);
    };
    await database.query(`alter database "${name}" set idle_session_timeout = '200ms'`);
    try {
      expect(await migrate(settings(), apply)).toEqual({ applied: [MIGRATION], partitions: [] });
      expect(found).toEqual([1]);
    } finally {
      await database.query(`alter database "${name}" reset idle_session_timeout`);
    }
  });

  it('is tried again where the server has ended a deadlock with it', async () => {
    await forget();
    const waits: string[] = [];
    const apply = (url: string) =>
      waits.length > 0 ? applyMigrations(url) : Promise.reject(Object.assign(new Error('deadlock'), { code: '40P01' }));
    const migration = migrate({ ...settings(), onWaiting: (what) => void waits.push(what) }, apply, 1);
    expect(await migration).toEqual({ applied: [MIGRATION], partitions: [] });
    expect(waits).toEqual([MIGRATION]);
  });

  it('of deliveries lets somebody end who has read them to write them: no deadlock', async () => {
    const name = 'DeliveriesUnfinished1763687500000';
    await database.query('drop index webhook_delivery_unfinished');
    await database.query('delete from schema_migration where name = $1', [name]);
    const worker = new pg.Client({ connectionString: database.url });
    await worker.connect();
    await worker.query('begin');
    await worker.query('select from webhook_delivery for update');
    const migration = migrate(settings());
    try {
      await eventually(async () => {
        const waiting = await database.query(`
          select from pg_stat_activity where datname = current_database() and wait_event = 'relation'
            and query like 'drop index%'`);
        return waiting.length === 1;
      });
      await worker.query('update webhook_delivery set tries = tries');
      await worker.query('commit');
      expect(await migration).toEqual({ applied: [name], partitions: [] });
    } finally {
      await worker.end();
      await Promise.allSettled([migration]);
    }
  }, 30_000);

  it('fails where a connection breaks that waits for it, and ends no process', async () => {
    await forget();
    const apply = async () => {
      await database.query(`
        select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where datname = current_database() and application_name = 'payments migrations'`);
      // What the server said last has come here once something later has.
      await database.query('select');
      return [];
    };
    await expect(migrate(settings(), apply)).rejects.toThrow(/connection/i);
  });

  it('says in one line that its connection broke at a statement: it is tried again by hand', async () => {
    await forget();
    const proxy = await DatabaseProxy.start(database.url);
    const reader = new pg.Client({ connectionString: database.url });
    try {
      await reader.connect();
      await reader.query('begin');
      await reader.query('lock table webhook_delivery, transaction in access share mode');
      const migrating = runLedger(['migrate'], { DATABASE_URL: proxy.url });
      await eventually(
        async () =>
          (
            await database.query(`
              select from pg_locks l join pg_database d on d.oid = l.database
              where d.datname = current_database() and l.mode = 'AccessExclusiveLock' and not l.granted`)
          ).length > 0,
        { within: 20_000 },
      );
      proxy.refuse(true);
      const line = /^The database was reached, and failed then: .*\n$/;
      expect(await migrating).toMatchObject({ code: 2, stderr: expect.stringMatching(line) });
    } finally {
      await reader.end();
      await proxy.stop();
    }
    expect((await runLedger(['migrate'], { DATABASE_URL: database.url })).code).toBe(0);
  }, 60_000);

  it("has a session that ends where its host is gone, whatever the URL's own parameters say", async () => {
    await forget();
    const address = new URL(database.url);
    const options = '-c work_mem=7MB -c search_path=extra,public -c tcp_keepalives_idle=0';
    const theirs = { lock_timeout: '0', statement_timeout: '1', idle_in_transaction_session_timeout: '0', options };
    for (const [name, value] of Object.entries(theirs)) address.searchParams.set(name, value);
    let limits: unknown;
    const apply = async (url: string) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query(`
        select current_setting('lock_timeout') as lock, current_setting('search_path') as path,
          current_setting('work_mem') as memory, current_setting('statement_timeout') as statement,
          current_setting('idle_in_transaction_session_timeout') as idle,
          current_setting('tcp_keepalives_idle') as silent, current_setting('tcp_keepalives_interval') as between,
          current_setting('tcp_keepalives_count') as probes`);
      limits = rows[0];
      await client.end();
      return applyMigrations(url);
    };
    await migrate({ ...settings(), url: address.href }, apply);
    expect(limits).toEqual({
      lock: '3s',
      path: 'public',
      memory: '7MB',
      statement: '0',
      idle: '1min',
      silent: '30',
      between: '10',
      probes: '3',
    });
  });
});

it('what a transaction of the owner failed with is told, not that its rollback failed too', async () => {
  const client = ownerClient(database.url, 'test');
  await client.connect();
  const tables = ['select pg_terminate_backend(pg_backend_pid())'];
  await expect(carryOut(client, { layout: [], tables, moves: false })).rejects.toThrow(/administrator command/);
  await client.end();
});
