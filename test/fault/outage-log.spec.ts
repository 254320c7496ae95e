import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi } from '../support/api.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { sample } from '../support/metrics.js';
import { type Service, startService } from '../support/service.js';

const OUTAGE_MS = 3_000;

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: Service;

beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.start(database.url);
  service = await startService(proxy.url);
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await proxy?.stop();
  await database?.drop();
});

it('an outage is in the log once a second, of each kind, and all tries of it are counted', async () => {
  const partner = await new OperatorApi(service.url).partner(['10.00', '0.00']);
  const api = await PartnerApi.login(service.url, partner.credentials);
  expect((await api.transfer(partner.accounts[1]!, '1.00')).status).toBe(201);
  proxy.refuse(true);
  const began = performance.now();
  const transfer = api.transfer(partner.accounts[1]!, '1.00', 'held-up');
  await pause(OUTAGE_MS);
  proxy.refuse(false);
  expect((await transfer).status).toBe(201);
  const seconds = (performance.now() - began) / 1000;

  const { body } = await call(service.url, 'GET', '/metrics');
  const tries = sample(body, 'ledger_batch_faults_total').reduce((sum, count) => sum + count, 0);
  expect(tries).toBeGreaterThan(10);
  const records = (what: string) => service.output().split(`"${what}`).length - 1;
  // A lost connection, and perhaps a COMMIT that was not answered.
  for (const what of ['a batch failed', 'work could not be claimed', 'the registry could not be followed']) {
    expect(records(what)).toBeGreaterThan(0);
    expect(records(what)).toBeLessThanOrEqual((seconds + 1) * 2);
  }
}, 60_000);
