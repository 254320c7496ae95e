import { describe, expect, it } from '@jest/globals';
import { copyForEach, type LedgerCopy } from '../support/ledger-fixture.js';
import { makePaymentsLedger } from '../support/payments-ledger.js';

let copy: LedgerCopy;
let partition: number;

copyForEach((given) => ({ copy, partition } = given), makePaymentsLedger);

/** What a check fails at, or does not end with; each in a table of its own. */
const HOSTILE: readonly (readonly [check: string, how: string])[] = [
  [
    'leaf hashes',
    `alter table event disable trigger all;
     alter table event alter column stream drop not null, alter column leaf drop not null;
     update event set stream = null where partition = :p and position = 3;
     update event set leaf = null where partition = :p and position = 4;
     alter table event enable trigger all`,
  ],
  ['rows of tree nodes', `update tree_node set index = 9223372036854775807 where level = 4 and index = 0`],
  ['secrets', `update partner set webhook_secrets = '{}'`],
  [
    'rows of idempotency',
    `update idempotency set id = decode(repeat('00', 40000), 'hex') where id = (
     select min(id) from idempotency where partition = :p)`,
  ],
  [
    'rows of payeeUses',
    `update payee_uses set uses = ('{"a":' || repeat('[', 3000) || repeat(']', 3000) || '}')::json`,
  ],
  ['rows of payout-file-endings', `update payout_file_ending set amount = 'Infinity'`],
  [
    'partitions',
    `insert into log_head (partition, position, root, peaks, time, corrections)
     select 2147483647, 0, sha256(''), '', now(), 0`,
  ],
  [
    'partitions',
    `insert into pix_sweep (partition, rail, swept_until) select n, 'x', now() from generate_series(1000, 3000) n`,
  ],
];

describe('ledger verify ends, and tells', () => {
  it('each value that it cannot compare, and whatever else was changed', async () => {
    for (const [, how] of HOSTILE) await copy.query(how.replaceAll(':p', String(partition)));
    const [{ uid }] = (await copy.query(
      `update account set available = available + 1
       where uid = (select uid from account where partition = $1 and system is null order by uid limit 1) returning uid`,
      [partition],
    )) as [{ uid: string }];
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    const checks = new Set(report.divergences.map((one: any) => one.check));
    for (const [check] of HOSTILE) expect(checks).toContain(check);
    expect(report.divergences).toContainEqual(expect.objectContaining({ subject: `accounts ${uid}` }));
  });

  it('null in what it begins with, and that it could not go on', async () => {
    await copy.query(`
      alter table log_head alter column position drop not null;
      update log_head set position = null where partition = ${partition};
      alter table checkpoint alter column note drop not null;
      grant update on event to payments_service`);
    const { code, report } = await copy.verify();
    expect(code).toBe(1);
    const guards = report.divergences.filter((one: any) => one.check === 'guards');
    expect(guards.map((one: any) => [one.subject, one.expected, one.found])).toEqual([
      ['table checkpoint', 'note NOT NULL', 'nothing'],
      ['table log_head', 'position NOT NULL', 'null'],
      ['table event', 'select insert', 'select insert update'],
    ]);
    expect(report.warnings).toContainEqual(expect.stringContaining('not all was compared'));
  });
});
