import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Database } from '../../src/platform/database/index.js';
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

  it('is used by the service as that role, on every kind of connection that runs statements', async () => {
    const service = new Database(database.url, () => undefined);
    const asked = { text: 'select current_user as role' };
    const lane = await service.openLane();
    try {
      const [ofLane] = await lane.run([asked]);
      const rows = await Promise.all([
        service.query(asked),
        service.backgroundQuery(asked),
        service.registryQuery(asked),
        service.lookUp({ name: 'role', ...asked }),
        service.transaction(async (client) => (await client.query(asked.text)).rows),
      ]);
      expect([...rows.flat(), ...ofLane!.rows]).toEqual(Array(6).fill({ role: 'payments_service' }));
    } finally {
      await lane.close();
      await service.close();
    }
  });
});
