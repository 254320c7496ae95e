import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, call, OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { PartnerReceiver } from '../support/partner-receiver.js';
import { RoundRobin } from '../support/round-robin.js';
import { type Service, startService } from '../support/service.js';

/**
 * Two API processes behind a proxy and two workers, on one database: what docs/scale.md promises of several processes.
 */

let database: TestDatabase;
let apis: Service[];
let workers: Service[];
let proxy: RoundRobin;
let receiver: PartnerReceiver;
let operator: OperatorApi;
let partner: TestPartner;
let session: PartnerApi;

beforeAll(async () => {
  database = await createDatabase();
  const start = (role: string) => startService(database.url, { ROLE: role });
  apis = [await start('api'), await start('api')];
  workers = [await start('worker'), await start('worker')];
  proxy = await RoundRobin.start(apis.map(({ url }) => url));
  receiver = await PartnerReceiver.start([]);
  operator = new OperatorApi(proxy.url);
  partner = await operator.partner(['1000.00', '0.00']);
  session = await PartnerApi.login(proxy.url, partner.credentials);
}, 60_000);

afterAll(async () => {
  await receiver?.stop();
  await proxy?.stop();
  await Promise.all([...(apis ?? []), ...(workers ?? [])].map((service) => service.stop()));
  await database?.drop();
});

const bodies = (answers: readonly Answer[]) => new Set(answers.map(({ body }) => JSON.stringify(body)));

describe('several processes behind a proxy', () => {
  it('make one payout of a key that arrives at all of them at once, and notify it once', async () => {
    const body = {
      payment: {
        value: '10.00',
        key: { type: 'EMAIL', value: 'ana@example.com' },
        recipient: { name: 'Ana', cpf: '52998224725' },
      },
      transaction: { orderId: 'order-1' },
      webhook: { url: receiver.url('/once') },
    };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => session.post('/accounts/pix/cashout', body, { 'idempotency-key': 'payout' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect(bodies(answers).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(19);
    expect(proxy.answered.every((count) => count >= 10)).toBe(true);

    const { id } = answers[0]!.body.data.transaction;
    const delivered = await eventually(async () => {
      const { items } = (await session.get(`/webhooks/deliveries?transactionId=${id}`)).body.data;
      return items[0]?.status === 'Delivered' && items;
    });
    expect(delivered.map(({ transactionState }: any) => transactionState)).toEqual(['Completed']);
    expect(delivered[0].attempts).toHaveLength(1);
    expect(receiver.at('/once')).toHaveLength(1);
    expect(await session.balance(partner.accounts[0]!)).toEqual({ available: '990.00', held: '0.00', blocked: '0.00' });
  });

  it('conserve money under load, and each answers a repetition as the other did', async () => {
    const { accounts, credentials } = await operator.partner(['100.00', '0.00']);
    const own = await PartnerApi.login(proxy.url, credentials);
    const transfer = (i: number) => own.transfer(accounts[1]!, '1.00', `t-${i}`);
    const first = await Promise.all(Array.from({ length: 120 }, (_, i) => transfer(i)));
    const settled = first.flatMap((answer, i) => (answer.status === 201 ? [{ answer, i }] : []));
    expect(settled).toHaveLength(100);
    // Every key once more at each process.
    for (const { url } of apis) {
      const again = await Promise.all(settled.map(({ i }) => own.on(url).transfer(accounts[1]!, '1.00', `t-${i}`)));
      expect(again.map(({ body }) => body)).toEqual(settled.map(({ answer }) => answer.body));
      expect(again.every(({ headers }) => headers.get('idempotent-replayed') === 'true')).toBe(true);
    }
    expect(await own.balance(accounts[1]!)).toEqual({ available: '100.00', held: '0.00', blocked: '0.00' });
    await assertLedgerSound(database);
  });

  it('see a change of the registry within a second, whichever of them made it', async () => {
    const { uid, accounts, credentials } = await operator.partner(['1000.00', '0.00']);
    const own = await PartnerApi.login(proxy.url, credentials);
    for (const [at, elsewhere, minimum] of [
      [0, 1, '5.00'],
      [1, 0, '0.01'],
    ] as const) {
      const there = own.on(apis[elsewhere]!.url);
      expect((await there.transfer(accounts[1]!, '2.00')).status).toBe(minimum === '5.00' ? 201 : 400);
      await new OperatorApi(apis[at]!.url).patch(`/partners/${uid}/settings`, { transferMinimum: minimum });
      const expected = minimum === '5.00' ? 400 : 201;
      await eventually(async () => (await there.transfer(accounts[1]!, '2.00')).status === expected, { within: 1_000 });
    }
    await new OperatorApi(apis[0]!.url).post(`/access-keys/${credentials.accessKey}/disable`);
    for (const { url } of apis) {
      await eventually(async () => (await own.on(url).get('/accounts')).status === 401, { within: 1_000 });
    }
  });

  it('lose nothing and repeat nothing when one of them is killed in the middle', async () => {
    const { accounts, credentials } = await operator.partner(['200.00', '0.00']);
    const own = await PartnerApi.login(proxy.url, credentials);
    const answered = () => proxy.answered.reduce((sum, count) => sum + count, 0);
    const before = answered();
    // As a client must: what got no answer, or a 5xx, is sent again under its key.
    const persist = (i: number) =>
      eventually(
        async () => {
          const answer = await own.transfer(accounts[1]!, '1.00', `k-${i}`);
          return answer.status < 500 && answer;
        },
        { every: 5 },
      );
    const running = Array.from({ length: 200 }, (_, i) => persist(i));
    await eventually(() => answered() > before + 20, { every: 1 });
    await apis[1]!.kill('SIGKILL');
    const answers = await Promise.all(running);
    expect(answers.map(({ status }) => status)).toEqual(Array(200).fill(201));
    expect(bodies(answers).size).toBe(200);
    expect(await own.on(apis[0]!.url).balance(accounts[1]!)).toEqual({
      available: '200.00',
      held: '0.00',
      blocked: '0.00',
    });
    await assertLedgerSound(database);
    expect((await call(apis[0]!.url, 'GET', '/health/ready')).status).toBe(200);
  });
});
