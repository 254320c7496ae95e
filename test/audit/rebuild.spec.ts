import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { AsyncRebuild } from '../../src/audit/rebuild/async-rebuild.js';
import { checkGuards } from '../../src/audit/verify/guards/guards-check.js';
import { Findings } from '../../src/audit/verify/report.js';
import { LogReader } from '../../src/audit/log/log-reader.js';
import { EventLog, isAsyncProjection, Subscriptions } from '../../src/event-store/index.js';
import { Database } from '../../src/platform/database/index.js';
import { searchProjection } from '../../src/inspection/projection/search.projection.js';
import { PartnerApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { startInProcess } from '../support/in-process.js';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
import { withClient } from '../support/restore-lab.js';
import { type Service, startService } from '../support/service.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let service: Service | undefined;
let partition: number;

afterEach(async () => {
  await service?.stop();
  service = undefined;
});
copyForEach((given) => ({ ledger, copy, partition } = given));

describe('ledger rebuild', () => {
  it('corrects inline rows that differ, reports each, and leaves nothing for verify to find', async () => {
    const [account, other] = ledger.partner.accounts;
    await copy.query('update account set available = available + 5 where uid = $1', [account]);
    await copy.query(`update account set type = 'SavingsAccount' where uid = $1`, [other]);
    await copy.query(
      'delete from idempotency where (partition, position) in (select partition, position from idempotency limit 1)',
    );
    await copy.query(`insert into idempotency values ($1, '\\xff', '\\x00', 1, 1)`, [partition]);
    expect((await copy.ledger(['verify'])).code).toBe(1);
    const { code, stdout } = await copy.ledger(['rebuild']);
    expect(code).toBe(0);
    const corrections = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(
      corrections
        .filter(({ projection }) => projection === 'accounts')
        .map(({ key }) => key)
        .sort(),
    ).toEqual([account, other].sort());
    expect(corrections.filter(({ projection }) => projection === 'idempotency')).toHaveLength(2);
    expect(stdout).toContain('transactions: 0 rows corrected');
    expect((await copy.ledger(['verify'])).code).toBe(0);
  }, 30_000);

  it('leaves every table as the migrations made it: storage, rights, columns, constraints, indexes', async () => {
    const made = () =>
      copy.query(`
        select c.relname, c.reloptions, c.relowner::regrole::text as owner,
          (select jsonb_agg(to_jsonb(r) order by r.grantee, r.privilege_type) from aclexplode(c.relacl) r) as rights,
          (select jsonb_agg(to_jsonb(a) - 'attrelid' - 'attcacheoff' order by attnum) from pg_attribute a
            where attrelid = c.oid and attnum > 0) as columns,
          (select jsonb_agg(to_jsonb(pg_get_constraintdef(t.oid)) order by conname) from pg_constraint t
            where conrelid = c.oid) as constraints,
          (select jsonb_agg(jsonb_build_array(pg_get_indexdef(i.oid), i.reloptions) order by i.relname)
            from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = c.oid) as indexes,
          (select count(*)::int from pg_trigger g where tgrelid = c.oid) as triggers
        from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`);
    const before = await made();
    expect(before.filter(({ reloptions }) => reloptions !== null).length).toBeGreaterThan(3);
    expect((await copy.ledger(['rebuild'])).code).toBe(0);
    expect(await made()).toEqual(before);
  }, 30_000);

  it('knows the names of projections', async () => {
    expect(await copy.ledger(['rebuild', '--projection', 'nonsense'])).toMatchObject({ code: 2 });
  });

  it('while transfers run: everything is equal at the end, nothing lost, nothing sent', async () => {
    service = await startService(copy.url, copy.env);
    const api = await PartnerApi.login(service.url, ledger.partner.credentials);
    await copy.query('delete from entry where partition = $1 and number = 1', [partition]);
    await copy.query('update entry set amount = amount + 1 where partition = $1 and number = 2', [partition]);
    // Not a balance: the traffic would carry it into events, which no rebuild may touch.
    await copy.query(`update account set type = 'SavingsAccount' where uid = $1`, [ledger.partner.accounts[2]]);
    const work = await copy.query('select count(*) from work');
    let going = true;
    let made = 0;
    const traffic = Promise.all(
      [1, 2, 1, 2].map(async (to) => {
        // Not at full speed: the commands have a low priority.
        for (; going; await setTimeout(20)) {
          const { status } = await api.transfer(ledger.partner.accounts[to]!, '1.00');
          expect([201, 422]).toContain(status);
          if (status === 201) made += 1;
        }
      }),
    );
    let rebuilt;
    try {
      await eventually(() => made > 20);
      rebuilt = await copy.ledger(['rebuild']);
      expect(rebuilt.code).toBe(0);
    } finally {
      going = false;
      await traffic;
    }
    expect(rebuilt.stdout).toContain('accounts: 1 rows corrected');
    const statement = await api.get(`/accounts/${ledger.partner.accounts[0]}/statement?limit=1`);
    expect(statement.status).toBe(200);
    await eventually(async () => {
      const [row] = await copy.query(
        `select h.position - s.position as lag from log_head h join subscription s using (partition)
         where partition = $1 and consumer = 'entries'`,
        [partition],
      );
      return Number(row!.lag) === 0;
    });
    const { code, stdout } = await copy.ledger(['verify']);
    expect(stdout).toContain('OK: nothing diverges');
    expect(code).toBe(0);
    const events = await copy.query(
      `select count(*)::int as count from event where partition = $1 and type = 'TransferSettled'`,
      [partition],
    );
    expect(events[0]!.count).toBe(25 + made);
    expect(await copy.query('select count(*) from work')).toEqual(work);
    const indexes = await copy.query(
      `select indexname from pg_indexes where tablename = 'entry' and schemaname = 'public'`,
    );
    expect(indexes).toContainEqual({ indexname: 'entry_pkey' });
  }, 60_000);

  it('is refused while another is under way, and leaves that one alone', async () => {
    const inProcess = await startInProcess(copy, copy.env);
    try {
      const find = <T>(type: new (...args: never[]) => T) => inProcess.app.get<T>(type, { strict: false });
      const { promise: held, resolve: goOn } = Promise.withResolvers<void>();
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const waiting = {
        heads: async () => {
          begin();
          await held;
          return find(EventLog).heads();
        },
      } as EventLog;
      const projections = find(Subscriptions).all().filter(isAsyncProjection);
      const first = new AsyncRebuild(waiting, find(LogReader), find(Database)).rebuild(
        projections,
        copy.url,
        () => undefined,
      );
      await Promise.race([begun, first]);
      const entries = () => copy.query(`select 'public.entry'::regclass::oid as made, count(*) from entry`);
      const before = await entries();
      const { code, stderr } = await copy.ledger(['rebuild', '--projection', 'entries']);
      expect(stderr).toContain('Another rebuild is under way');
      expect(code).toBe(2);
      expect(await entries()).toEqual(before);
      goOn();
      await first;
    } finally {
      await inProcess.close();
    }
    expect((await copy.verify()).report.divergences).toEqual([]);
    expect((await copy.ledger(['rebuild', '--projection', 'entries'])).code).toBe(0);
  }, 60_000);

  /** Holds what a migration holds, until a rebuild waits for it; then does something, and lets the rebuild go on. */
  const whileItWaits = async (act: () => Promise<unknown>) => {
    const migrating = new pg.Client({ connectionString: copy.url });
    await migrating.connect();
    try {
      await migrating.query('select pg_advisory_lock(7239101)');
      const rebuilding = copy.ledger(['rebuild', '--projection', 'entries']);
      await eventually(
        async () =>
          (
            await copy.query(`
              select from pg_stat_activity where datname = current_database() and application_name = 'payments rebuild'
                and wait_event_type = 'Lock' and wait_event = 'advisory'`)
          ).length > 0,
        { within: 20_000 },
      );
      await act();
      await migrating.query('select pg_advisory_unlock_all()');
      return await rebuilding;
    } finally {
      await migrating.end();
    }
  };

  it('does not put its tables in place of those that a later version migrates meanwhile', async () => {
    const { code, stderr } = await whileItWaits(() =>
      copy.query(`
        alter table entry add column later int;
        insert into schema_migration ("timestamp", name) values (4000000000000, 'Later4000000000000')`),
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^A later version has migrated .*\n$/) });
    expect(await copy.query('select later from entry limit 1')).toEqual([{ later: null }]);
  }, 60_000);

  it('that puts its tables in place while verify looks at their keys is no divergence', async () => {
    const inProcess = await startInProcess(copy, copy.env);
    try {
      let looks = 0;
      const swapping = {
        backgroundQuery: async (statement: { name?: string }) => {
          const rows = await inProcess.database.backgroundQuery<any>(statement as never);
          if (statement.name !== 'verify-constraints' || ++looks > 1) return rows;
          return rows.map((row) => (row.table === 'entry' ? { ...row, text: '' } : row));
        },
      } as unknown as Database;
      const findings = new Findings();
      await checkGuards(swapping, findings);
      expect({ divergences: findings.divergences, looks }).toEqual({ divergences: [], looks: 2 });
    } finally {
      await inProcess.close();
    }
  }, 60_000);

  it('whose connection ends in the middle says so in one line: that nothing diverges, or something, it does not know', async () => {
    const { code, stderr } = await whileItWaits(() =>
      copy.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'payments rebuild'`),
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^The database was reached, .*\n$/) });
    expect((await copy.verify()).code).toBe(0);
    expect((await copy.ledger(['rebuild', '--projection', 'entries'])).code).toBe(0);
  }, 60_000);

  it('takes the tables of a projection in the order in which they are read together', async () => {
    const sums = searchProjection.adds!.readTables(partition, 'a-key');
    await withClient(copy.url, (holder) =>
      withClient(copy.url, async (reader) => {
        const waiting = (mode: string) =>
          eventually(async () => {
            const { rows } = await holder.query(
              `select from pg_locks l join pg_database d on d.oid = l.database
               where d.datname = current_database() and l.mode = $1 and not l.granted`,
              [mode],
            );
            return rows.length > 0;
          });
        await holder.query('begin; lock table transaction_subject in access share mode');
        const rebuilt = copy.ledger(['rebuild', '--projection', 'transaction-search']);
        await waiting('AccessExclusiveLock');
        const read = reader.query({ ...sums }).then(({ rowCount }) => rowCount, String);
        await waiting('AccessShareLock');
        await holder.query('commit');
        expect({ read: await read, code: (await rebuilt).code }).toEqual({ read: 1, code: 0 });
      }),
    );
  }, 30_000);

  it('loses nothing of a partition whose first events are appended and followed after it has caught up', async () => {
    const inProcess = await startInProcess(copy, copy.env);
    try {
      const find = <T>(type: new (...args: never[]) => T) => inProcess.app.get<T>(type, { strict: false });
      const heads = await find(EventLog).heads();
      const early = { heads: async () => new Map(heads).set(partition, 0n) } as EventLog;
      const projections = find(Subscriptions).all().filter(isAsyncProjection);
      await new AsyncRebuild(early, find(LogReader), find(Database)).rebuild(projections, copy.url, () => undefined);
    } finally {
      await inProcess.close();
    }
    const { code, report } = await copy.verify();
    expect(report.divergences).toEqual([]);
    expect(code).toBe(0);
    expect(await copy.query('select from entry where partition = $1', [partition])).not.toHaveLength(0);
  }, 60_000);
});
