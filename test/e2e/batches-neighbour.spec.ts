import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let service: Service;
let many: TestPartner;
let neighbour: TestPartner;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url, { LEDGER_PARTITIONS: '1' });
  const operator = new OperatorApi(service.url);
  many = await operator.partner(['1000000.00', '0.00']);
  neighbour = await operator.partner(['1000.00', '0.00']);
}, 60_000);

afterAll(async () => {
  await assertLedgerSound(database);
  await service.stop();
  await database.drop();
});

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

it('a stream of full batches of one partner lets single transfers of another of its partition through', async () => {
  const [flood, single] = [
    await PartnerApi.login(service.url, many.credentials),
    await PartnerApi.login(service.url, neighbour.credentials),
  ];
  const batches: number[] = [];
  let ends = false;
  const streams = Array.from({ length: 8 }, async (_, stream) => {
    for (let n = 0; !ends; n++) {
      const items = Array.from({ length: 500 }, (__, i) => ({
        idempotencyKey: `${stream}-${n}-${i}`,
        refAccountCredit: many.accounts[1]!,
        transferAmount: '1.00',
      }));
      const began = performance.now();
      const { status } = await flood.post('/accounts/transfers/batch', { items });
      // The partner's own share of the queue may be full.
      expect([200, 503]).toContain(status);
      if (status === 200) batches.push(performance.now() - began);
    }
  });
  const singles: number[] = [];
  // As many of both as medians need, and no more: all of it is verified afterwards.
  while (singles.length < 15 || batches.length < 9) {
    const began = performance.now();
    expect((await single.transfer(neighbour.accounts[1]!, '1.00')).status).toBe(201);
    singles.push(performance.now() - began);
  }
  ends = true;
  await Promise.all(streams);
  expect(median(singles)).toBeLessThan(median(batches) / 2);
}, 120_000);
