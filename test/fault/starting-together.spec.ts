import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { assertKeys, fingerprintOf, WrongKey } from '../../src/event-store/index.js';
import { Database, migrate } from '../../src/platform/database/index.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';

const NAME = 'MASTER_KEY';
const key = Buffer.alloc(32, 7);

let target: TestDatabase;
let database: Database;
let first: pg.Client;

beforeAll(async () => {
  target = await createDatabase();
  await migrate({ url: target.url, partitions: 1 });
  database = new Database(target.url, () => undefined);
  first = new pg.Client({ connectionString: target.url });
  await first.connect();
});

afterAll(async () => {
  await first.end();
  await database.close();
  await target.drop();
});

/** What `assertKeys` says when another process wrote the fingerprint and commits only once this one waits for it. */
async function startsBeside(other: Buffer): Promise<unknown> {
  await first.query('begin');
  await first.query('insert into setting_fingerprint (name, fingerprint) values ($1, $2)', [
    NAME,
    fingerprintOf(NAME, other),
  ]);
  const answer = assertKeys(database, { [NAME]: key }).catch((error: unknown) => error);
  await eventually(async () => {
    const waiting = await target.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return waiting.length === 1;
  });
  await first.query('commit');
  const said = await answer;
  await target.query('delete from setting_fingerprint');
  return said;
}

it('two processes of one key start together on a new database', async () => {
  expect(await startsBeside(key)).toBeUndefined();
});

it('the second of two with different keys is told', async () => {
  expect(await startsBeside(Buffer.alloc(32, 8))).toBeInstanceOf(WrongKey);
});
