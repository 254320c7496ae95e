import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { PAYER } from '../support/pix-edge.js';
import { type Service, startService } from '../support/service.js';
import { PostgresServer } from './driver/postgres-server.js';

let postgres: PostgresServer;
let database: TestDatabase;
let proxy: DatabaseProxy;
let service: Service;
let api: PartnerApi;

beforeAll(async () => {
  postgres = await PostgresServer.start();
  database = await createDatabase({ server: postgres.url });
  proxy = await DatabaseProxy.start(database.url);
  service = await startService(proxy.url);
  const { credentials } = await new OperatorApi(service.url).partner(['0.00']);
  api = await PartnerApi.login(service.url, credentials);
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await database?.drop();
  await postgres?.stop();
});

it('PostgreSQL crashes between a charge and its append: what is acknowledged after recovery can be paid', async () => {
  const cut = proxy.nextCut();
  proxy.cutNextCommit('before', { thenRefuse: true });
  const requested = api.post('/accounts/pix/cashin', {
    payment: { value: { original: '10.00' } },
    transaction: { orderId: 'pedido' },
    webhook: { url: 'http://127.0.0.1:65535/hook' },
  });
  await cut;
  await postgres.restart('immediate', 0);
  proxy.refuse(false);

  const { status, body } = await requested;
  expect(status).toBe(201);
  const { qrCode } = body.data.payment;
  const paid = await call(service.url, 'POST', '/sandbox/pix/payments', { body: { qrCode, payer: PAYER } });
  expect(paid).toMatchObject({ status: 201, body: { data: { outcome: 'Settled' } } });
  await assertLedgerSound(database);
}, 60_000);
