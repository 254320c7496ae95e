import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { call, OperatorApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';
import { PostgresServer } from './driver/postgres-server.js';

let postgres: PostgresServer;
let database: TestDatabase;
let proxy: DatabaseProxy;
let service: Service;

beforeAll(async () => {
  postgres = await PostgresServer.start();
  database = await createDatabase({ server: postgres.url });
  proxy = await DatabaseProxy.start(database.url);
  service = await startService(proxy.url);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await database?.drop();
  await postgres?.stop();
});

it('PostgreSQL crashes between a number and its append: nobody else gets that number after recovery', async () => {
  const operator = new OperatorApi(service.url);
  const taxNumber = '11222333000181';
  const { uid } = await operator.post('/partners', { name: 'Loja', taxNumber });
  const open = () => operator.post(`/partners/${uid}/accounts`, { name: 'Conta', taxNumber });
  const before = await open();

  // The first number after a checkpoint is what PostgreSQL logs for the next thirty-two; its disk is slow.
  const slow = new pg.Client({ connectionString: database.url });
  slow.on('error', () => undefined);
  await slow.connect();
  await slow.query('checkpoint');
  await slow.query('begin');
  await slow.query(`select nextval('account_number')`);
  const cut = proxy.nextCut();
  proxy.cutNextCommit('before', { thenRefuse: true });
  const opening = open();
  await cut;
  await postgres.restart('immediate', 0);
  proxy.refuse(false);
  const first = await opening;
  await eventually(async () => (await call(service.url, 'GET', '/health/ready')).status === 200, { within: 20_000 });

  const opened = [before, first, await open(), await open(), await open()];
  const numbers = opened.map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)]);
  await assertLedgerSound(database);
}, 60_000);
