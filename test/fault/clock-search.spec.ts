import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { MovingClock } from '../support/moving-clock.js';
import { type Service, startService } from '../support/service.js';

/** As late as the event of a charge may be for its identifier: a turn, the rail's answer and a full lane. */
const LATE_MS = 24_000;

let clock: MovingClock;
let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let partner: TestPartner;

beforeAll(async () => {
  clock = await MovingClock.make();
  database = await createDatabase();
  service = await startService(database.url, { ...clock.settings, LEDGER_PARTITIONS: '1' });
  operator = new OperatorApi(service.url);
  partner = await operator.partner(['1000.00', '0.00']);
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await database?.drop();
  await clock?.remove();
});

describe('a search by time', () => {
  it('finds what was registered then, though its identifier is older', async () => {
    const api = await PartnerApi.login(service.url, partner.credentials);
    const transfer = async () => (await api.transfer(partner.accounts[1]!, '1.00')).body.data.id as string;
    await clock.jumpTo(LATE_MS);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await transfer();
    // The log's time stays where it was.
    await clock.jumpTo(0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const id = await transfer();
    const { registeredAt } = await operator.get(`/transactions/${id}`);
    expect(Date.parse(registeredAt) - Date.now()).toBeGreaterThan(LATE_MS - 2_000);
    const { items } = await operator.get(`/transactions?type=Transfer&from=${registeredAt}`);
    expect(items.map((one: { id: string }) => one.id)).toContain(id);
  });
});
