import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { Database, migrate } from '../../src/platform/database/index.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

/** Look-ups by key share two connections: those that wait for a lock do not keep all others waiting one by one. */

let test: TestDatabase;
let database: Database;
let holder: pg.Client;

beforeAll(async () => {
  test = await createDatabase();
  await migrate({ url: test.url, partitions: 2 });
  database = new Database(test.url, () => undefined);
  holder = new pg.Client({ connectionString: test.url });
  await holder.connect();
}, 60_000);

afterAll(async () => {
  await holder?.end();
  await database?.close();
  await test?.drop();
});

const lookUp = (table: string, column: string) =>
  database.lookUp({
    name: `by-key-${table}`,
    text: `select 1 from ${table} where partition = $1 and ${column} = $2`,
    values: [1, randomUUID()],
  });

it('those of a table that is locked are refused together; one of another table is answered meanwhile', async () => {
  await holder.query('begin');
  await holder.query('lock table transaction in access exclusive mode');
  const locked = Array.from({ length: 48 }, () => lookUp('transaction', 'id'));
  const began = performance.now();
  const refused = Promise.allSettled(locked);
  expect(await lookUp('schedule', 'id')).toEqual([]);
  expect((await refused).map(({ status }) => status)).toEqual(locked.map(() => 'rejected'));
  // Each by itself waits for two seconds: 48 on two connections for 48 s.
  expect(performance.now() - began).toBeLessThan(24_000);
  await holder.query('rollback');

  expect(await lookUp('transaction', 'id')).toEqual([]);
}, 90_000);
