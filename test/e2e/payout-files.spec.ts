import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { payoutCsv, PayoutFiles } from '../support/payout-files.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let service: Service;
let operator: OperatorApi;
let partner: TestPartner;
let session: PartnerApi;
let files: PayoutFiles;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService(database.url);
  operator = new OperatorApi(service.url);
}, 60_000);

afterAll(async () => {
  if (database) await assertLedgerSound(database);
  await service?.stop();
  await database?.drop();
});

async function newPartner(balance = '1000.00'): Promise<void> {
  partner = await operator.partner([balance]);
  session = await PartnerApi.login(service.url, partner.credentials);
  files = new PayoutFiles(service.url, session.token);
}

describe('a file without fault', () => {
  beforeAll(() => newPartner());

  it('is accepted, run to its end, and told line by line', async () => {
    const { status, body } = await files.upload(payoutCsv(450));
    expect([status, body.statusCode]).toEqual([201, 'Incomplete']);
    expect(body.data).toMatchObject({ state: 'Running', format: 'csv', lines: 450, amount: '450.00' });
    const { id } = body.data;
    const file = await files.ended(id);
    expect(file).toMatchObject({ state: 'Completed', lines: 450 });
    await eventually(async () => (await files.get(id)).body.data.counts.completed === 450);
    const results = await files.results(id);
    expect(results.map(({ line }) => line)).toEqual(Array.from({ length: 450 }, (_, i) => i + 2));
    expect(results[0]).toEqual({
      line: 2,
      orderId: 'order-1',
      value: '1.00',
      state: 'Completed',
      transactionId: expect.any(String),
      endToEndId: expect.stringMatching(/^E/),
      error: null,
    });
    expect((await session.balance(partner.accounts[0]!)).available).toBe('550.00');
  });
});
