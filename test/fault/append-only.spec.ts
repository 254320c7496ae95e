import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { OperatorApi } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let service: Service;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
  await new OperatorApi(service.url).partner(['1.00']);
});

afterAll(async () => {
  await service.stop();
  await database.drop();
});

const CHANGES = [
  `update event set type = 'Forged'`,
  `update event set position = position + 1000`,
  `delete from event`,
  `delete from event where position = 1`,
  `truncate event`,
];

describe('the event table', () => {
  it.each(CHANGES)('refuses its owner: %s', async (sql) => {
    await expect(database.query(sql)).rejects.toMatchObject({ code: '42501', message: 'the event log is append-only' });
  });

  it.each(CHANGES)("refuses the service's role: %s", async (sql) => {
    const client = new pg.Client({ connectionString: database.url, options: '-c role=payments_service' });
    await client.connect();
    try {
      await expect(client.query(sql)).rejects.toMatchObject({
        code: '42501',
        message: expect.stringContaining('permission denied'),
      });
    } finally {
      await client.end();
    }
  });

  it('is used by the service as that role', async () => {
    const users = await database.query<{ role: string }>(`
      select distinct usename as role, application_name from pg_stat_activity
      where datname = current_database() and application_name like 'payments %'`);
    expect(users.length).toBeGreaterThan(0);
    const client = new pg.Client({ connectionString: database.url, options: '-c role=payments_service' });
    await client.connect();
    try {
      const { rows } = await client.query<{ table_name: string }>(`
        select table_name from information_schema.table_privileges
        where grantee = 'payments_service' and table_name = 'event' and privilege_type not in ('SELECT', 'INSERT')`);
      expect(rows).toEqual([]);
    } finally {
      await client.end();
    }
  });
});
