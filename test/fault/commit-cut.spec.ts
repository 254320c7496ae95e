import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let proxy: DatabaseProxy;
let service: Service;
let partner: TestPartner;
let api: PartnerApi;
let destination: string;

beforeAll(async () => {
  database = await createDatabase();
  proxy = await DatabaseProxy.start(database.url);
  service = await startService(proxy.url);
  partner = await new OperatorApi(service.url).partner(['1000.00', '0.00']);
  destination = partner.accounts[1]!;
  api = await PartnerApi.login(service.url, partner.credentials);
  await api.transfer(destination, '1.00');
});

afterAll(async () => {
  await service.stop();
  await proxy.stop();
  await database.drop();
});

const transferEvents = async (id: string) => database.query('select from event where stream = $1', [`transfer-${id}`]);
const received = async () => Number((await api.balance(destination)).available);

describe('a connection cut at COMMIT', () => {
  it.each(['before', 'after'] as const)(
    '%s the server has seen it: one effect, and the answer is true',
    async (moment) => {
      const [before, cuts] = [await received(), proxy.cuts];
      proxy.cutNextCommit(moment);
      const answer = await api.transfer(destination, '3.00');
      expect(proxy.cuts).toBe(cuts + 1);
      expect(answer.status).toBe(201);
      expect(await received()).toBe(before + 3);
      expect(await transferEvents(answer.body.data.id)).toHaveLength(1);
      await assertLedgerSound(database);
    },
  );

  it.each(['before', 'after'] as const)(
    '%s it, with many commands in the batch: each takes effect once',
    async (moment) => {
      const before = await received();
      proxy.cutNextCommit(moment);
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => api.transfer(destination, '1.00', `${moment}-${i}`)),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201));
      expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(40);
      expect(await received()).toBe(before + 40);
      await assertLedgerSound(database);
    },
  );

  it.each(['before', 'after', 'failed'] as const)(
    '%s it, in a batch that is atomic: each item once',
    async (moment) => {
      const before = await received();
      const items = Array.from({ length: 40 }, (_, i) => ({
        idempotencyKey: `atomic-${moment}-${i}`,
        refAccountCredit: destination,
        transferAmount: '1.00',
        ...(i % 2 === 0 && { transferDescription: 'Teste' }),
      }));
      const [, cuts] = [proxy.cutNextCommit(moment), proxy.cuts];
      const answer = await api.post(
        '/accounts/transfers/batch',
        { mode: 'atomic', items },
        { 'idempotency-key': moment },
      );
      expect([proxy.cuts, answer.status, answer.body.data.counts]).toEqual([cuts + 1, 200, { done: 40, error: 0 }]);
      expect(await received()).toBe(before + 40);
      const again = await api.post(
        '/accounts/transfers/batch',
        { mode: 'atomic', items },
        { 'idempotency-key': moment },
      );
      expect(again.body.data.items.map(({ data }: any) => data.id)).toEqual(
        answer.body.data.items.map(({ data }: any) => data.id),
      );
      expect(await received()).toBe(before + 40);
      await assertLedgerSound(database);
    },
  );

  it('that a coordinator answers with an error, though it stands: one effect, with a key or without', async () => {
    const operator = new OperatorApi(service.url);
    for (const cut of [1, 2, 3]) {
      const [before, cuts] = [await received(), proxy.cuts];
      proxy.cutNextCommit('failed');
      const credit = await operator.post(`/accounts/${destination}/credits`, { amount: '2.00', reason: 'Teste' });
      expect({ cut, cuts: proxy.cuts }).toEqual({ cut, cuts: cuts + 1 });
      expect(await received()).toBe(before + 2);
      const credited = await database.query(`select from event where data->>'id' = $1`, [credit.id]);
      expect(credited).toHaveLength(1);
      proxy.cutNextCommit('failed');
      expect((await api.transfer(destination, '1.00')).status).toBe(201);
      expect(await received()).toBe(before + 3);
    }
    await assertLedgerSound(database);
  });

  it.each(['request cut', 'answer cut', 'answer an error'] as const)(
    'at each message of it, %s: one effect, with a key or without',
    async (fault) => {
      const operator = new OperatorApi(service.url);
      const [first, credits] = [await received(), []] as [number, string[]];
      for (let message = 0; credits.length === message; message++) {
        const { cuts } = proxy;
        proxy.failAtMessage(message, fault);
        const { id } = await operator.post(`/accounts/${destination}/credits`, { amount: '2.00', reason: 'Teste' });
        if (proxy.cuts === cuts) break;
        credits.push(id);
        proxy.failAtMessage(message, fault);
        const transfer = await api.transfer(destination, '1.00', `${fault.replaceAll(' ', '-')}-${message}`);
        expect({ fault, message, status: transfer.status }).toEqual({ fault, message, status: 201 });
        expect(await transferEvents(transfer.body.data.id)).toHaveLength(1);
      }
      // A batch has five statements at least, each with several messages.
      expect(credits.length).toBeGreaterThan(10);
      const events = await database.query(`select from event where data->>'id' = any($1)`, [credits]);
      expect(events).toHaveLength(credits.length);
      expect(await received()).toBe(first + 2 + 3 * credits.length);
      await assertLedgerSound(database);
    },
    60_000,
  );

  it('with the database gone afterwards: OutcomeUnknown, and the same key tells what happened', async () => {
    const before = await received();
    proxy.cutNextCommit('after', { thenRefuse: true });
    const answer = await api.transfer(destination, '5.00', 'unknown-1');
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({
      statusCode: 'Error',
      error: { name: 'OutcomeUnknown', message: expect.any(String) },
    });
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    proxy.refuse(false);
    const repeated = await eventually(async () => {
      const again = await api.transfer(destination, '5.00', 'unknown-1');
      return again.status === 201 && again;
    });
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(await received()).toBe(before + 5);
    await assertLedgerSound(database);
  }, 40_000);
});

describe('a database that is unreachable', () => {
  it('makes 503 with Retry-After, does nothing, and service resumes without a restart', async () => {
    const before = await received();
    proxy.refuse(true);
    // The one that finds the connection broken may have been on its way: it says so, and nothing came of it.
    const first = await api.transfer(destination, '1.00');
    expect(first).toMatchObject({
      status: 503,
      body: { error: { name: expect.stringMatching(/^(ServiceUnavailable|OutcomeUnknown)$/) } },
    });
    const answer = await api.transfer(destination, '1.00');
    expect(answer.status).toBe(503);
    expect(answer.body.error.name).toBe('ServiceUnavailable');
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await fetch(`${service.url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${service.url}/health/live`)).status).toBe(200);
    proxy.refuse(false);
    await eventually(async () => (await fetch(`${service.url}/health/ready`)).status === 200);
    expect(
      (
        await eventually(async () => {
          const again = await api.transfer(destination, '1.00');
          return again.status === 201 && again;
        })
      ).status,
    ).toBe(201);
    expect(await received()).toBe(before + 1);
  }, 30_000);
});
