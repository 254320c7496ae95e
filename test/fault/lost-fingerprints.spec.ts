import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { provesKeyPepper } from '../../src/auth/index.js';
import { assertKeys } from '../../src/event-store/index.js';
import { Database, migrate } from '../../src/platform/database/index.js';
import { signIn } from '../support/console.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { PERSON, personForAll, type PersonWorld } from '../support/person-world.js';
import { ADMIN_TOKEN, SETTINGS } from '../support/service.js';

const OTHER = Buffer.alloc(32, 9);
const other = OTHER.toString('base64');
const UNPROVEN = 'its fingerprint is gone from the database, and nothing that was tried there proves this key';

let world: PersonWorld;

const lose = (name: string) =>
  world.database.query('delete from setting_fingerprint where name = $1 returning fingerprint', [name]);
const kept = async (name: string) =>
  (await world.database.query('select from setting_fingerprint where name = $1', [name])).length === 1;

describe('a process over a database that has lost a fingerprint', () => {
  personForAll((given) => (world = given));
  beforeEach(() => world.service.stop());

  it('is refused with another master key, and writes nothing; with its own it is started', async () => {
    await lose('MASTER_KEY');
    await expect(world.start({ MASTER_KEY: other })).rejects.toThrow(`MASTER_KEY: ${UNPROVEN}`);
    const { code, stderr } = await world.ledger(['forget', '--tax-number', PERSON], { MASTER_KEY: other });
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`MASTER_KEY: ${UNPROVEN}`) });
    expect(await kept('MASTER_KEY')).toBe(false);
    await world.start();
    expect(await kept('MASTER_KEY')).toBe(true);
  }, 60_000);

  it('is refused with any pepper while access keys alone depend on it; the message says the way on', async () => {
    await lose('KEY_PEPPER');
    await expect(world.start({ KEY_PEPPER: other })).rejects.toThrow(`KEY_PEPPER: ${UNPROVEN}`);
    const refusal: unknown = await world.start().catch((error: unknown) => error);
    const [statement] = /insert into setting_fingerprint .*;/.exec((refusal as Error).message)!;
    await world.database.query(statement);
    await world.start();
  }, 60_000);

  it('is refused with another pepper than that of sessions of the console, of which one was changed', async () => {
    await world.start();
    for (let i = 0; i < 2; i++) await signIn(world.service.url, ADMIN_TOKEN);
    await world.service.stop();
    await world.database.query(
      `update console_session set subject = 'other' where id = (select min(id) from console_session)`,
    );
    await lose('KEY_PEPPER');
    await expect(world.start({ KEY_PEPPER: other })).rejects.toThrow(`KEY_PEPPER: ${UNPROVEN}`);
    await world.start();
    expect(await kept('KEY_PEPPER')).toBe(true);
  }, 60_000);

  it('is proven by any row that was not damaged, by its secrets too, and by nothing where nothing is kept', async () => {
    const database = new Database(world.database.url, () => undefined);
    const own = Buffer.from(SETTINGS.MASTER_KEY, 'base64');
    const asserted = async (keys: Record<string, Buffer>) => {
      await lose('MASTER_KEY');
      await lose('KEY_PEPPER');
      await assertKeys(database, keys, { KEY_PEPPER: provesKeyPepper });
    };
    const damage = (where: string) =>
      world.database.query(`update subject_key set wrapped_key = sha256(wrapped_key) where ${where}`);
    try {
      await damage('subject <> (select subject from subject_key order by subject limit 1)');
      await world.database.query('delete from secret');
      await world.database.query(`update registry_secret set value = sha256(value) || value`);
      await asserted({ MASTER_KEY: own });
      await damage('true');
      await expect(asserted({ MASTER_KEY: own })).rejects.toThrow(`MASTER_KEY: ${UNPROVEN}`);
      await world.database.query('delete from subject_key');
      await world.database.query(`update registry_secret set value = substring(value from 33)`);
      await expect(asserted({ MASTER_KEY: OTHER })).rejects.toThrow(`MASTER_KEY: ${UNPROVEN}`);
      await asserted({ MASTER_KEY: own });
      for (const table of ['registry_secret', 'console_session', 'access_key'])
        await world.database.query(`delete from ${table}`);
      await asserted({ MASTER_KEY: OTHER, KEY_PEPPER: OTHER });
    } finally {
      await database.close();
    }
  }, 60_000);
});

describe('a running process', () => {
  personForAll((given) => (world = given));

  it('goes on writing with a new connection after the fingerprint was removed', async () => {
    await lose('MASTER_KEY');
    await world.database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'payments lane'`,
    );
    await eventually(() => world.operator.partner(['1.00']), { within: 10_000, unless: () => false });
    expect(await kept('MASTER_KEY')).toBe(true);
  }, 60_000);
});

describe('a database whose master key was rotated', () => {
  personForAll((given) => (world = given));

  it('is not started, nor rotated again, without its key of look-ups, or with a damaged one', async () => {
    await world.service.stop();
    const file = join(world.dataDir, 'new-key');
    await writeFile(file, other);
    expect(await world.ledger(['rotate-master-key', '--new-key-file', file])).toMatchObject({ code: 0 });
    const [lost] = await lose('SUBJECT_LOOKUP_KEY');
    const keep = (fingerprint: Buffer) =>
      world.database.query(`insert into setting_fingerprint values ('SUBJECT_LOOKUP_KEY', $1)`, [fingerprint]);
    await expect(world.start({ MASTER_KEY: other })).rejects.toThrow(/SUBJECT_LOOKUP_KEY: the key .* is gone/);
    const again = await world.ledger(['rotate-master-key', '--new-key-file', file], { MASTER_KEY: other });
    expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/^SUBJECT_LOOKUP_KEY: /) });
    await keep(Buffer.alloc(60));
    await expect(world.start({ MASTER_KEY: other })).rejects.toThrow(/SUBJECT_LOOKUP_KEY: its row .* was not wrapped/);
    await lose('SUBJECT_LOOKUP_KEY');
    await keep(lost!.fingerprint as Buffer);
    await world.start({ MASTER_KEY: other });
  }, 60_000);
});

describe('a new database', () => {
  let target: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    target = await createDatabase();
    await migrate({ url: target.url, partitions: 1 });
    database = new Database(target.url, () => undefined);
  });
  afterAll(async () => {
    await database.close();
    await target.drop();
  });

  it('takes the first keys, and no others', async () => {
    await assertKeys(database, { KEY_PEPPER: OTHER, MASTER_KEY: OTHER });
    await expect(assertKeys(database, { MASTER_KEY: Buffer.alloc(32, 8) })).rejects.toThrow(
      'MASTER_KEY: this database was used with another key',
    );
  });
});
