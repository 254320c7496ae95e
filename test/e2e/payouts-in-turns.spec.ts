import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

const MANY = 400;

let database: TestDatabase;
let services: Service[];

beforeAll(async () => {
  database = await createDatabase();
  services = [await startService(database.url, { ROLE: 'api' })];
}, 60_000);

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await database.drop();
});

async function register(partner: TestPartner, count: number): Promise<void> {
  const api = await PartnerApi.login(services[0]!.url, partner.credentials);
  const items = Array.from({ length: count }, (_, i) => ({
    idempotencyKey: `key-${i}`,
    payment: {
      value: '1.00',
      key: { type: 'EMAIL', value: 'ana@example.com' },
      recipient: { name: 'Ana', cpf: '52998224725' },
    },
    transaction: { orderId: `order-${i}` },
    webhook: { url: 'http://127.0.0.1:65535/hook', customHeaderName: 'X-Key', customHeaderValue: 'secret' },
  }));
  const answer = await api.post('/accounts/pix/cashouts/batch', { items });
  expect(answer.body.data.counts).toEqual({ done: count, error: 0 });
}

const completed = async ({ accounts }: TestPartner) => {
  const [row] = await database.query(
    `select count(*)::int as n from transaction where account_uid = $1 and type = 'CashOut' and state = 'Completed'`,
    [accounts[0]],
  );
  return row!.n as number;
};

describe('payouts that wait to be sent', () => {
  it('go in turns by partner: one does not wait for another’s hundreds', async () => {
    const operator = new OperatorApi(services[0]!.url);
    const [many, one] = [await operator.partner(['9000.00']), await operator.partner(['100.00'])];
    await register(many, MANY);
    await register(one, 1);
    services.push(await startService(database.url));
    await eventually(async () => (await completed(one)) === 1 && (await completed(many)) === MANY, { within: 30_000 });
    const [order] = await database.query<{ before: number }>(
      `select count(*)::int as before from transaction
       where account_uid = $1 and type = 'CashOut' and state_dates ->> 'Completed' <= (
         select state_dates ->> 'Completed' from transaction where account_uid = $2 and type = 'CashOut')`,
      [many.accounts[0], one.accounts[0]],
    );
    expect(order!.before).toBeLessThan(MANY / 2);
    await assertLedgerSound(database);
  }, 60_000);
});
