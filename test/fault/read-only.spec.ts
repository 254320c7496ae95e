import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';
import { PostgresServer } from './driver/postgres-server.js';

/**
 * As during a failover, when the address leads to a standby for some seconds. The whole server is set so: it is our
 * own.
 */
let postgres: PostgresServer;
let database: TestDatabase;
let service: Service;
let partner: TestPartner;
let api: PartnerApi;

beforeAll(async () => {
  postgres = await PostgresServer.start();
  database = await createDatabase({ server: postgres.url });
  service = await startService(database.url);
  partner = await new OperatorApi(service.url).partner(['100.00', '0.00']);
  api = await PartnerApi.login(service.url, partner.credentials);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await database?.drop();
  await postgres?.stop();
});

const transfer = () => api.transfer(partner.accounts[1]!, '1.00');
const ready = () => call(service.url, 'GET', '/health/ready');

const failures = () => service.output().split('read-only transaction').length;

async function takeWrites(isTaking: boolean): Promise<void> {
  const value = isTaking ? 'reset default_transaction_read_only' : 'set default_transaction_read_only = on';
  await database.query(`alter system ${value}`);
  await database.query('select pg_reload_conf()');
}

describe('a database that takes no writes', () => {
  it('makes commands 503 and the process not ready; afterwards they are done without a restart', async () => {
    expect((await transfer()).status).toBe(201);
    await takeWrites(false);
    const readiness = await eventually(async () => {
      const answer = await ready();
      return answer.status === 503 && answer;
    });
    expect(readiness.body.error.message).toBe('Not ready: the database: it takes no writes.');
    for (const { status, headers, body } of await Promise.all([transfer(), transfer(), transfer()])) {
      expect([status, body.error.name]).toEqual([503, 'ServiceUnavailable']);
      expect(headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect((await api.balance(partner.accounts[0]!)).available).toBe('99.00');
    await takeWrites(true);
    expect((await transfer()).status).toBe(201);
    await eventually(async () => (await ready()).status === 200);
  }, 60_000);

  it('holds up the commands of a short time, and refuses none', async () => {
    await takeWrites(false);
    await eventually(async () => (await ready()).status === 503);
    const before = failures();
    const asked = Promise.all([transfer(), transfer()]);
    await eventually(() => failures() > before + 2);
    await takeWrites(true);
    expect((await asked).map(({ status }) => status)).toEqual([201, 201]);
  }, 60_000);
});
