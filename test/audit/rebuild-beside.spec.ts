import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { AsyncRebuild } from '../../src/audit/rebuild/async-rebuild.js';
import { checkGuards } from '../../src/audit/verify/guards/guards-check.js';
import { TreeNodesCheck } from '../../src/audit/verify/log/tree-nodes-check.js';
import { Findings } from '../../src/audit/verify/report.js';
import { LogReader } from '../../src/audit/log/log-reader.js';
import { EventLog, isAsyncProjection, Subscriptions } from '../../src/event-store/index.js';
import { Database } from '../../src/platform/database/index.js';
import { searchProjection } from '../../src/inspection/projection/search.projection.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { eventually } from '../support/eventually.js';
import { startInProcess } from '../support/in-process.js';
import { copyForEach, type LedgerCopy } from '../support/ledger-fixture.js';
import { withClient } from '../support/restore-lab.js';

let copy: LedgerCopy;
let partition: number;
copyForEach((given) => ({ copy, partition } = given));

describe('a rebuild beside others', () => {
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
  const whileItWaits = async (act: () => Promise<unknown>, env: Record<string, string> = {}) => {
    const migrating = new pg.Client({ connectionString: copy.url });
    await migrating.connect();
    try {
      await migrating.query('select pg_advisory_lock(7239101)');
      const rebuilding = copy.ledger(['rebuild', '--projection', 'entries'], env);
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

  it("that has begun to build the tree's nodes anew while verify compares them is no divergence", async () => {
    const inProcess = await startInProcess(copy, { ...copy.env, ROLE: 'api' });
    try {
      const { database } = inProcess;
      const [{ covered }] = (await copy.query(
        `select position as covered from subscription where partition = $1 and consumer = 'tree-nodes'`,
        [partition],
      )) as [{ covered: string }];
      const leaves = await copy.query<{ leaf: Buffer }>(
        'select leaf from event where partition = $1 order by position',
        [partition],
      );
      const compared = async (act: () => Promise<unknown>) => {
        const findings = new Findings();
        const check = new TreeNodesCheck(database, findings, partition, BigInt(covered));
        for (const { leaf } of leaves) check.examine(leaf);
        await act();
        await check.finish();
        return findings.divergences.length;
      };
      const without = () => copy.query('delete from tree_node where partition = $1', [partition]);
      const reset = () =>
        copy.query(`update subscription set position = 0 where partition = $1 and consumer = 'tree-nodes'`, [
          partition,
        ]);
      expect(await compared(without)).toBeGreaterThan(0);
      expect(await compared(reset)).toBe(0);
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

  it('whose connection breaks without a word of the server says so in one line too', async () => {
    const proxy = await DatabaseProxy.start(copy.url);
    try {
      const env = { MIGRATION_DATABASE_URL: proxy.url };
      const { code, stderr } = await whileItWaits(() => Promise.resolve(proxy.refuse(true)), env);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^The database was reached, .*\n$/) });
    } finally {
      await proxy.stop();
    }
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
});
