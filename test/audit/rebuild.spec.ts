import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AsyncRebuild } from '../../src/audit/rebuild/async-rebuild.js';
import { LogReader } from '../../src/audit/log/log-reader.js';
import { EventLog, isAsyncProjection, Subscriptions } from '../../src/event-store/index.js';
import { Database } from '../../src/platform/database/index.js';
import { PartnerApi } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { startInProcess } from '../support/in-process.js';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';
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
