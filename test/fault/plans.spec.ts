import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { accountProjection } from '../../src/accounts/account.projection.js';
import { serviceConnection } from '../../src/platform/database/connection-settings.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { startService } from '../support/service.js';

/**
 * What the lanes' statements do before PostgreSQL has statistics: those come a minute after a table has grown, and until
 * then every transfer would pay for a plan that reads a whole index.
 */
let database: TestDatabase;
let lane: pg.Client;

beforeAll(async () => {
  database = await createDatabase();
  await (await startService(database.url, { ROLE: 'api' })).stop();
  await database.query('alter table account set (autovacuum_enabled = false)');
  await open(1);
  await open(50);
  const limits = { statementTimeout: 5_000, lockTimeout: 5_000, idleInTransaction: 5_000, plansOnce: true };
  lane = new pg.Client(serviceConnection(database.url, 'lane', limits));
  await lane.connect();
});

/** Partners with a hundred accounts each. */
async function open(partners: number): Promise<void> {
  await database.query(`
    insert into account
    select 1, gen_random_uuid(), partner, null, null, 'CHECKING', 'CUSTOMER', 'ACTIVE', 0, 0, 0, now(), 1
    from (select gen_random_uuid() as partner from generate_series(1, ${partners})), generate_series(1, 100)`);
}

afterAll(async () => {
  await lane?.end();
  await database?.drop();
});

const rows = [accountProjection.parse({ uid: 'x', available: '0', held: '0' })];

it.each([
  ['loads', accountProjection.load(1, ['x'])],
  ['changes', accountProjection.save(1, { inserted: [], updated: rows })[0]!],
])('%s accounts by their key', async (_what, { text }) => {
  const { rows } = await lane.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${text}`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/Scan.* account_pkey/);
  expect(plan).not.toMatch(/account_by_partner|Seq Scan on account/);
});
