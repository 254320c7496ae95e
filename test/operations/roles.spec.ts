import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sample } from '../support/metrics.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { type Service, startService } from '../support/service.js';

/** An API process and a worker on one database: together they are the service. */

const ACCOUNT = { ispb: '60701190', branch: '0123', number: '45678', digit: '9' };

let database: TestDatabase;
let api: Service;
let worker: Service;
let receiver: PartnerReceiver;
let partner: TestPartner;
let session: PartnerApi;

beforeAll(async () => {
  database = await createDatabase();
  [api, worker] = await Promise.all([
    startService(database.url, { ROLE: 'api' }),
    startService(database.url, { ROLE: 'worker' }),
  ]);
  partner = await new OperatorApi(api.url).partner(['1000.00', '0.00']);
  session = await PartnerApi.login(api.url, partner.credentials);
  receiver = await PartnerReceiver.start([partner.webhookSecret]);
}, 60_000);

afterAll(async () => {
  await receiver?.stop();
  await Promise.all([api?.stop(), worker?.stop()]);
  await database?.drop();
});

async function cashOut(path: string): Promise<string> {
  const answer = await session.post('/accounts/pix/cashout', {
    payment: { value: '10.00', recipient: { name: 'Maria Silva', cpf: '52998224725', account: ACCOUNT } },
    transaction: { orderId: `order${path}` },
    webhook: { url: receiver.url(path) },
  });
  expect(answer.status).toBe(201);
  return answer.body.data.transaction.id;
}

describe('an API process and a worker', () => {
  it('make transfers, payouts, statements and webhooks together', async () => {
    expect((await session.transfer(partner.accounts[1]!, '5.50')).status).toBe(201);
    expect((await session.balance(partner.accounts[1]!)).available).toBe('5.50');
    const id = await cashOut('/together');
    const [receipt] = await receiver.arrived('/together', 1);
    expect(JSON.parse(receipt!.body)).toMatchObject({ id, transactionState: 'Completed' });
    const entries = await eventually(async () => {
      const { items } = (await session.get(`/accounts/${partner.accounts[1]}/statement`)).body.data;
      return items.length > 0 && items;
    });
    expect(entries).toHaveLength(1);
  });

  it.each(['/partners-int/accounts', '/admin/partners', '/docs', '/openapi.json', '/sandbox/pix/payments', '/nowhere'])(
    'the worker does not serve %s',
    async (path) => {
      const answer = await call(worker.url, path.includes('sandbox') ? 'POST' : 'GET', path, { token: session.token });
      expect(answer.status).toBe(404);
      expect(answer.body.error.name).toBe('RouteNotFound');
    },
  );

  it.each(['/health/live', '/health/ready', '/metrics', '/health/live/'])('both serve %s', async (path) => {
    for (const { url } of [api, worker]) expect((await call(url, 'GET', path)).status).toBe(200);
  });

  it('without a worker the API keeps serving and shows the backlog; the next worker processes it', async () => {
    await worker.stop();
    const id = await cashOut('/waiting');
    // That is four polls of a follower.
    await eventually(async () => {
      const metrics = (await call(api.url, 'GET', '/metrics')).body;
      const lags = sample(metrics, 'ledger_subscription_lag_seconds', { consumer: 'pix-rail' });
      return Math.max(...lags) > 1;
    });
    expect((await session.get(`/accounts/transactions/${id}`)).body.data.transaction.state).toBe('Registered');
    expect((await session.transfer(partner.accounts[1]!, '1.00')).status).toBe(201);

    worker = await startService(database.url, { ROLE: 'worker' });
    const [receipt] = await receiver.arrived('/waiting', 1);
    expect(JSON.parse(receipt!.body)).toMatchObject({ id, transactionState: 'Completed' });
  });
});
