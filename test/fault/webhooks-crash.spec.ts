import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, call, OperatorApi, PartnerApi, patiently, type TestPartner } from '../support/api.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { followed } from '../support/followed.js';
import { PartnerReceiver, type Receipt } from '../support/partner-receiver.js';
import { type Service, startService } from '../support/service.js';

const SETTINGS = { WEBHOOK_RETRY_SCHEDULE: '0s,300ms,1s,2s,5s,5s,5s,5s,5s,5s' };

let database: TestDatabase;
let receiver: PartnerReceiver;
const services: Service[] = [];

async function start(): Promise<Service> {
  const service = await startService(database.url, SETTINGS);
  services.push(service);
  return service;
}

beforeAll(async () => {
  database = await createDatabase();
}, 60_000);

afterAll(async () => {
  await receiver?.stop();
  await Promise.all(services.map((service) => service.stop()));
  await database?.drop();
});

function testWebhook(session: PartnerApi, path: string): Promise<Answer> {
  return patiently(() => session.post('/webhooks/test', { url: receiver.url(path) }));
}

async function cashOut(session: PartnerApi, path: string, value: string): Promise<string> {
  const body = {
    payment: { value, key: { type: 'EMAIL', value: 'maria@example.com' }, recipient: { cpf: '52998224725' } },
    transaction: { orderId: 'storm' },
    webhook: { url: receiver.url(path) },
  };
  const headers = { 'idempotency-key': randomUUID() };
  const answer = await patiently(() => session.post('/accounts/pix/cashout', body, headers));
  expect(answer.status).toBe(201);
  return answer.body.data.transaction.id;
}

/** Until no delivery is to be made, nor to be made again. */
async function allDelivered(): Promise<void> {
  const open = async () =>
    (await database.query(`select from webhook_delivery where status <> 'Delivered' or due_at is not null`)).length;
  await eventually(async () => (await open()) === 0, { within: 20_000 });
}

function byId(receipts: readonly Receipt[], key: (receipt: Receipt) => string): Map<string, Receipt[]> {
  return Map.groupBy(receipts, key);
}

describe('a process that is killed in a storm of deliveries', () => {
  let partner: TestPartner;

  it('leaves every change of state to arrive, under one webhook-id, in order within each transaction', async () => {
    let service = await start();
    partner = await new OperatorApi(service.url).partner(['10000.00']);
    receiver = await PartnerReceiver.start([partner.webhookSecret]);
    let session = await PartnerApi.login(service.url, partner.credentials);
    receiver.behave('/storm', 'slow 20');

    const sent: string[] = [];
    for (let round = 0; round < 3; round++) {
      const wave = Array.from({ length: 40 }, (_, i) => cashOut(session, '/storm', i % 2 ? '1.00' : '1.96'));
      sent.push(...(await Promise.all(wave)));
      const soFar = receiver.receipts.length;
      await eventually(() => receiver.receipts.length > soFar);
      await service.kill('SIGKILL');
      service = await start();
      session = session.on(service.url);
    }

    const body = (receipt: Receipt) => JSON.parse(receipt.body) as { id: string; transactionType: string };
    // Half of them have a refund, a transaction of its own at the same address.
    const transactions = sent.length * 1.5;
    await eventually(() => byId(receiver.receipts, (receipt) => body(receipt).id).size >= transactions, {
      within: 60_000,
    });
    const received = byId(receiver.receipts, (receipt) => body(receipt).id);
    expect(received.size).toBe(transactions);
    for (const id of sent) expect(received.has(id)).toBe(true);
    for (const receipts of received.values()) {
      expect(new Set(receipts.map(({ id }) => id)).size).toBe(1);
      expect(new Set(receipts.map((receipt) => receipt.body)).size).toBe(1);
      expect(receipts.every(({ verifiedBy }) => verifiedBy === 0)).toBe(true);
    }

    const rows = await database.query<{ id: string; refund_of: string }>(
      'select id, refund_of from transaction where refund_of is not null',
    );
    expect(rows).toHaveLength(sent.length / 2);
    for (const { id, refund_of: parent } of rows) {
      const firstOfRefund = receiver.receipts.findIndex((receipt) => body(receipt).id === id);
      const lastOfParent = receiver.receipts.findLastIndex((receipt) => body(receipt).id === parent);
      expect(lastOfParent).toBeLessThan(firstOfRefund);
    }
    await allDelivered();
  }, 180_000);

  it('leaves every step of a hold to be told, once, in order', async () => {
    let service = services.at(-1)!;
    const told = await new OperatorApi(service.url).partner(['100.00']);
    receiver.trust([told.webhookSecret]);
    const session = await PartnerApi.login(service.url, told.credentials);
    const [uid] = told.accounts;
    const path = `/partners-int/accounts/${uid}/webhook`;
    await call(service.url, 'PUT', path, { token: session.token, body: { url: receiver.url('/told') } });
    const ids: string[] = [];
    for (let round = 0; round < 3; round++) {
      const operator = new OperatorApi(service.url);
      const order = { amount: '1.00', cause: 'Judicial', reference: 'storm' };
      const steps = Array.from({ length: 10 }, async () => {
        const { id } = await operator.post(`/accounts/${uid}/holds`, order);
        ids.push(id);
        await operator.post(`/accounts/${uid}/holds/${id}/release`, {});
      });
      await Promise.all(steps);
      // What is answered is in the log; the follower may have seen none of it.
      await service.kill('SIGKILL');
      service = await start();
    }
    const steps = () => byId(receiver.at('/told'), ({ id }) => id);
    await eventually(() => steps().size >= 2 * ids.length, { within: 60_000 });
    await allDelivered();
    const order = Map.groupBy(steps().values(), ([receipt]) => JSON.parse(receipt!.body).data.id as string);
    expect([...order.keys()].sort()).toEqual([...ids].sort());
    for (const ofHold of order.values()) {
      expect(ofHold.map(([receipt]) => JSON.parse(receipt!.body).type)).toEqual(['hold.placed', 'hold.released']);
      for (const receipts of ofHold) expect(new Set(receipts.map(({ body }) => body)).size).toBe(1);
    }
  }, 120_000);

  it('sends nothing again when the checkpoint of the saga is set back to the beginning', async () => {
    const before = receiver.receipts.length;
    const [head] = await database.query<{ behind: string }>(`
      update subscription set position = 0 where consumer = 'webhooks' returning position as behind`);
    expect(head).toBeDefined();
    await followed(database);
    const due = await database.query('select from webhook_delivery where due_at is not null');
    expect(due).toHaveLength(0);
    expect(receiver.receipts).toHaveLength(before);
  });
});

describe('two processes on one database', () => {
  it('share the work: both send, and each delivery is sent by one of them', async () => {
    const [first] = services.filter(({ process }) => process.exitCode === null && process.signalCode === null);
    const second = await start();
    const partner = await new OperatorApi(first!.url).partner(['0.00']);
    receiver.trust([partner.webhookSecret]);
    const session = await PartnerApi.login(first!.url, partner.credentials);
    // One process alone, with 32 attempts at once, needs four seconds; whoever does not follow the log looks four times
    // in one.
    receiver.behave('/shared', 'slow 300');
    const instances = [session, session.on(second.url)];
    const answers = await Promise.all(Array.from({ length: 400 }, (_, i) => testWebhook(instances[i % 2]!, '/shared')));
    const ids = new Set(answers.map(({ body }) => body.data.deliveryId));
    expect(ids.size).toBe(400);
    await receiver.arrived('/shared', 400, 30_000);
    await eventually(async () => {
      const open = await database.query(`select from webhook_delivery where status <> 'Delivered'`);
      return open.length === 0;
    });
    expect(receiver.at('/shared')).toHaveLength(400);
    for (const { url } of [first!, second]) {
      const { body } = await call(url, 'GET', '/metrics');
      expect(Number(/^webhook_attempts_total\{outcome="delivered"\} (\d+)$/m.exec(body)?.[1] ?? 0)).toBeGreaterThan(0);
    }
  }, 60_000);

  it('a killed one leaves its work to the other once its leases have run out, within six seconds', async () => {
    const [first, second] = services.filter(({ process }) => process.exitCode === null && process.signalCode === null);
    const partner = await new OperatorApi(first!.url).partner(['0.00']);
    receiver.trust([partner.webhookSecret]);
    const session = await PartnerApi.login(first!.url, partner.credentials);
    receiver.behave('/handed-over', 'slow 4000');
    const ids: string[] = [];
    const held = () =>
      database.query<{ left: number }>(`
        select extract(epoch from max(leased_until) - now())::float as left from webhook_delivery
        where lease is not null group by lease`);
    // Until both have some: whoever is first takes no more than its slots.
    await eventually(
      async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => testWebhook(session, '/handed-over')));
        ids.push(...answers.map(({ body }) => body.data.deliveryId as string));
        return (await held()).length === 2;
      },
      { every: 100 },
    );
    await second!.kill('SIGKILL');
    receiver.behave('/handed-over', '200');
    const leases = await held();
    expect(leases).toHaveLength(2);
    expect(Math.max(...leases.map(({ left }) => left))).toBeLessThanOrEqual(6);
    // As the time would, without waiting for it; what the other one holds is its own by its name.
    await database.query(
      `update webhook_delivery set leased_until = now() - interval '1 second' where lease is not null`,
    );
    await eventually(async () => {
      const open = await database.query(
        `select from webhook_delivery where id = any($1::uuid[]) and status <> 'Delivered'`,
        [ids],
      );
      return open.length === 0;
    });
    const arrived = byId(receiver.at('/handed-over'), ({ id }) => id);
    expect(ids.every((id) => arrived.has(id))).toBe(true);
  }, 60_000);
});
