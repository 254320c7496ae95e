import { describe, expect, it } from '@jest/globals';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let partition: number;

copyForEach((given) => ({ ledger, copy, partition } = given));

describe('ledger verify compares every row with the events, and reports', () => {
  it('each by itself: changed, missing and additional ones, and what the log has not reached', async () => {
    const beyond = 1_000_000_000;
    const [{ uid }] = (await copy.query(
      `update account set available = available + 100 where partition = $1 and uid = $2 returning uid`,
      [partition, ledger.partner.accounts[1]],
    )) as [{ uid: string }];
    // A transfer that passes for a payment, one that is missing, and one at a place that the log has not reached.
    const transfers = await copy.query<{ id: string }>('select id from transaction order by id::text');
    const [payment, missing, late] = [transfers[0]!.id, transfers[1]!.id, transfers.at(-1)!.id];
    await copy.query(`update transaction set type = 'CashOut' where id = $1`, [payment]);
    await copy.query('delete from transaction where id = $1', [missing]);
    await copy.query('update transaction set position = $2 where id = $1', [late, beyond]);
    await copy.query(
      `insert into idempotency (partition, id, request, position, events)
       values ($1, '\\xfe', '\\x00', 1, 1), ($1, '\\xff', '\\x00', $2, 1)`,
      [partition, beyond],
    );
    await copy.query(
      `insert into entry select partition, account_uid, number + 1000, $2, bucket, amount, balance, kind,
         transaction_id, description, time from entry where partition = $1 limit 1`,
      [partition, beyond],
    );
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    const of = (check: string) => report.divergences.filter((one: any) => one.check === check);
    expect(of('rows of accounts')).toMatchObject([
      { partition, subject: `accounts ${uid}`, field: 'available', position: String(await copy.transferAt(24)) },
    ]);
    expect(of('rows of transactions').sort((a: any, b: any) => (a.subject < b.subject ? -1 : 1))).toMatchObject([
      { subject: `transactions ${payment}`, field: 'type', expected: 'Transfer', found: 'CashOut' },
      { subject: `transactions ${missing}`, field: 'row', found: 'nothing' },
      { subject: `transactions ${late}`, field: 'position', found: String(beyond) },
    ]);
    const extra = { position: null, field: 'row', expected: 'nothing' };
    expect(of('rows of idempotency')).toMatchObject([
      { subject: 'idempotency fe', ...extra },
      { subject: 'idempotency ff', ...extra },
    ]);
    expect(of('rows of entries')).toMatchObject([
      { partition, position: null, field: 'position', found: String(beyond) },
    ]);
    expect(report.divergenceCount).toBe(7);
    // What an event explains comes before what none does.
    expect(report.first.position).not.toBeNull();
  });

  it('a changed entry, a missing one, and an extra one', async () => {
    const [changed, missing, doubled, ...others] = await copy.query<{ key: string }>(
      `select account_uid || '/' || position || '/' || number as key from entry where partition = $1 order by key`,
      [partition],
    );
    const found = `partition = $1 and account_uid || '/' || position || '/' || number = $2`;
    await copy.query(`update entry set amount = amount - 1 where ${found}`, [partition, changed!.key]);
    await copy.query(`delete from entry where ${found}`, [partition, missing!.key]);
    await copy.query(
      `insert into entry select partition, account_uid, 1000 + n, position, bucket, amount, balance, kind, transaction_id,
         description, time from entry, generate_series(1, 2) n where ${found}`,
      [partition, doubled!.key],
    );
    const { report } = await copy.verify();
    const entries = 3 + others.length;
    expect(report.divergences).toHaveLength(3);
    expect(report.divergences).toEqual(
      expect.arrayContaining(
        [
          { subject: `entries ${changed!.key}`, field: 'amount' },
          { subject: `entries ${missing!.key}`, found: 'nothing' },
          { position: null, field: 'count', expected: String(entries), found: String(entries + 1) },
        ].map((one) => expect.objectContaining({ check: 'rows of entries', ...one })),
      ),
    );
  });

  it('every row of work under one key, though it has more of them than a page', async () => {
    await copy.query(
      `insert into work (partition, id, kind, subject, payload, due_at)
       select $1, gen_random_uuid(), 'scheduled-run', $2, '{}', now() from generate_series(1, 6000)`,
      [partition, ledger.partner.uid],
    );
    const { report } = await copy.verify();
    expect(report.divergenceCount).toBe(6_000);
    expect(report.first).toMatchObject({ check: 'rows of work', subject: `work ${ledger.partner.uid}/scheduled-run` });
  });
});
