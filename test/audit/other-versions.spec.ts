import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyForEach, type LedgerCopy } from '../support/ledger-fixture.js';

let copy: LedgerCopy;
copyForEach((given) => ({ copy } = given));

const newKey = join(tmpdir(), `ledger-new-key-${process.pid}`);
beforeAll(() => writeFile(newKey, Buffer.alloc(32, 9).toString('base64')));
afterAll(() => rm(newKey));

const before = new Date().toISOString();
const damage = () => copy.query('update entry set amount = amount + 1 where number = 1');
const entries = () => copy.query('select * from entry order by partition, account_uid, position, number');

describe('a database of before an upgrade, as a restored backup is,', () => {
  it.each([
    ...[['verify'], ['rebuild'], ['seal-deliveries', '--before', before], ['forget', '--tax-number', '52998224725']],
    ['rotate-master-key', '--new-key-file', newKey],
  ])(
    'is told by `ledger %s` in one line, and stays as it is',
    async (...args) => {
      await damage();
      await copy.query(`
        alter table webhook_delivery drop column seal;
        drop table unsealed_deliveries;
        delete from schema_migration where name like 'DeliveriesSealed%'`);
      const found = await entries();
      const { code, stdout, stderr } = await copy.ledger(args);
      expect({ code, stdout, stderr }).toEqual({
        ...{ code: 2, stdout: '' },
        stderr: expect.stringMatching(
          /^The database is not ready for this version: it lacks DeliveriesSealed\d+\. Run `ledger migrate` first, or take the `ledger` of its version\.\n$/,
        ),
      });
      expect(await entries()).toEqual(found);
    },
    30_000,
  );
});

describe('a database that a later version has migrated', () => {
  it.each([
    ['forget', '--tax-number', '52998224725'],
    ['rotate-master-key', '--new-key-file', newKey],
  ])(
    'has no key changed or destroyed by %s: it may have more of them',
    async (...args) => {
      await copy.query(`insert into schema_migration ("timestamp", name) values (4000000000000, 'Later4000000000000')`);
      const keys = () => copy.query('select * from subject_key order by partition, subject');
      const found = await keys();
      const { code, stderr } = await copy.ledger(args);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringMatching(
          new RegExp(
            `^A later version has migrated the database \\(Later.*\\)\\. Use its \`ledger ${args[0]}\`: .*\\n$`,
          ),
        ),
      });
      expect(await keys()).toEqual(found);
    },
    30_000,
  );

  it('is verified with a warning, and not rebuilt', async () => {
    await copy.query(`insert into schema_migration ("timestamp", name) values (4000000000000, 'Later4000000000000')`);
    const { code, report } = await copy.verify();
    expect({ code, warnings: report.warnings }).toEqual({
      code: 0,
      warnings: expect.arrayContaining([
        expect.stringMatching(/^a later version has migrated the database \(Later4000000000000\): .*`ledger verify`$/),
      ]),
    });
    await damage();
    const found = await entries();
    const rebuilt = await copy.ledger(['rebuild']);
    expect(rebuilt).toMatchObject({ code: 2, stdout: '' });
    expect(rebuilt.stderr).toMatch(/^A later version has migrated the database \(Later4000000000000\)\. Use its /);
    expect(await entries()).toEqual(found);
  }, 30_000);
});
