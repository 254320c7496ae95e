import { describe, expect, it } from '@jest/globals';
import { copyForEach, type LedgerCopy, type LedgerFixture } from '../support/ledger-fixture.js';

let ledger: LedgerFixture;
let copy: LedgerCopy;
let partition: number;

copyForEach((given) => ({ ledger, copy, partition } = given));

describe('ledger verify compares every row with the events, and reports', () => {
  it('an amount in a projection', async () => {
    const [{ uid }] = (await copy.query(
      `update account set available = available + 100 where partition = $1 and uid = $2 returning uid`,
      [partition, ledger.partner.accounts[1]],
    )) as [{ uid: string }];
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    expect(report.divergenceCount).toBe(1);
    expect(report.first).toMatchObject({
      partition,
      check: 'rows of accounts',
      subject: `accounts ${uid}`,
      field: 'available',
      position: String(await copy.transferAt(24)),
    });
  });

  it('a row without an event, and a missing one', async () => {
    await copy.query(`delete from transaction where id = (select id from transaction where partition = $1 limit 1)`, [
      partition,
    ]);
    await copy.query(
      `insert into idempotency (partition, id, request, position, events) values ($1, '\\xff', '\\x00', 1, 1)`,
      [partition],
    );
    const { report } = await copy.verify();
    expect(report.divergences).toMatchObject([
      { check: 'rows of transactions', field: 'row', found: 'nothing' },
      { check: 'rows of idempotency', position: null, field: 'row', expected: 'nothing' },
    ]);
  });

  it('rows that refer to events beyond the head', async () => {
    const beyond = 1_000_000_000;
    await copy.query(
      `insert into idempotency (partition, id, request, position, events) values ($1, '\\xff', '\\x00', $2, 1)`,
      [partition, beyond],
    );
    await copy.query(
      `insert into entry select partition, account_uid, number + 1000, $2, bucket, amount, balance, kind,
         transaction_id, description, time from entry where partition = $1 limit 1`,
      [partition, beyond],
    );
    const { report } = await copy.verify();
    const found = { partition, position: null, field: 'position', found: String(beyond) };
    expect(report.divergences).toMatchObject([
      { check: 'rows of entries', ...found },
      { check: 'rows of idempotency', position: null, field: 'row', expected: 'nothing' },
    ]);
  });

  it('a transfer that passes for a payment, and one at a place that the log has not reached', async () => {
    const [{ id }] = (await copy.query(
      `update transaction set type = 'CashOut' where id = (select min(id::text)::uuid from transaction) returning id`,
    )) as [{ id: string }];
    const [{ id: late }] = (await copy.query(
      `update transaction set position = 1000000000
       where id = (select max(id::text)::uuid from transaction) returning id`,
    )) as [{ id: string }];
    const { report } = await copy.verify();
    const check = 'rows of transactions';
    expect(report.divergences).toMatchObject([
      { check, subject: `transactions ${id}`, field: 'type', expected: 'Transfer', found: 'CashOut' },
      { check, subject: `transactions ${late}`, field: 'position', found: '1000000000' },
    ]);
  });

  it('a changed entry, a missing one, and an extra one', async () => {
    const account = ledger.partner.accounts[0];
    const [{ entries }] = (await copy.query(`select count(*)::int as entries from entry where partition = $1`, [
      partition,
    ])) as [{ entries: number }];
    await copy.query(`update entry set amount = amount - 1 where partition = $1 and account_uid = $2 and number = 3`, [
      partition,
      account,
    ]);
    await copy.query(`delete from entry where partition = $1 and account_uid = $2 and number = 4`, [
      partition,
      account,
    ]);
    await copy.query(
      `insert into entry select partition, account_uid, 1000 + n, position, bucket, amount, balance, kind, transaction_id,
         description, time from entry, generate_series(1, 2) n where partition = $1 and account_uid = $2 and number = 2`,
      [partition, account],
    );
    const { report } = await copy.verify();
    expect(report.divergences).toMatchObject([
      { check: 'rows of entries', subject: `entries ${account}/3`, field: 'amount' },
      { check: 'rows of entries', subject: `entries ${account}/4`, found: 'nothing' },
      {
        check: 'rows of entries',
        position: null,
        field: 'count',
        expected: String(entries),
        found: String(entries + 1),
      },
    ]);
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
