import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, OperatorApi, PartnerApi } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { type Service, startService } from '../support/service.js';

let database: TestDatabase;
let services: Service[];
let operator: OperatorApi;

beforeAll(async () => {
  database = await createDatabase();
  services = [await startService(database.url), await startService(database.url)];
  operator = new OperatorApi(services[0]!.url);
});

afterAll(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await database.drop();
});

const settled = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 201);

describe.each([1, 2])('with %i process(es) on one database', (processes) => {
  it('200 transfers at once out of an account that covers 100 of them: exactly 100 settle', async () => {
    const partner = await operator.partner(['100.00', '0.00']);
    const [source, destination] = partner.accounts as [string, string];
    const api = await PartnerApi.login(services[0]!.url, partner.credentials);
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) => api.on(services[i % processes]!.url).transfer(destination, '1.00')),
    );
    expect(settled(answers)).toHaveLength(100);
    const refusals = answers.filter(({ status }) => status === 422);
    expect(refusals).toHaveLength(100);
    expect(new Set(refusals.map(({ body }) => body.error.details.reason))).toEqual(
      new Set(['CustomerAccountInsufficientFunds']),
    );
    expect(await api.balance(source)).toEqual({ available: '0.00', held: '0.00', blocked: '0.00' });
    expect(await api.balance(destination)).toEqual({ available: '100.00', held: '0.00', blocked: '0.00' });
    await assertLedgerSound(database);
  });

  it('one Idempotency-Key sent 50 times at once: one event, 50 equal answers', async () => {
    const partner = await operator.partner(['100.00', '0.00']);
    const destination = partner.accounts[1]!;
    const api = await PartnerApi.login(services[0]!.url, partner.credentials);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        api.on(services[i % processes]!.url).transfer(destination, '7.00', 'order-1'),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(201));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(49);
    const events = await database.query(`select from event where stream = $1`, [
      `transfer-${answers[0]!.body.data.id}`,
    ]);
    expect(events).toHaveLength(1);
    expect(await api.balance(destination)).toEqual({ available: '7.00', held: '0.00', blocked: '0.00' });
  });
});

describe('an Idempotency-Key', () => {
  it('belongs to its account: the same key from two accounts makes two transfers', async () => {
    const partner = await operator.partner(['10.00', '10.00']);
    const [first, second] = partner.accounts as [string, string];
    const other = await operator.post(`/accounts/${second}/access-keys`, {});
    const one = await PartnerApi.login(services[0]!.url, partner.credentials);
    const two = await PartnerApi.login(services[0]!.url, other);
    const answers = [await one.transfer(second, '1.00', 'same'), await two.transfer(first, '1.00', 'same')];
    expect(settled(answers)).toHaveLength(2);
    expect(answers[0]!.body.data.id).not.toBe(answers[1]!.body.data.id);
  });

  it('is not burnt by a refusal', async () => {
    const partner = await operator.partner(['0.00', '0.00']);
    const [source, destination] = partner.accounts as [string, string];
    const api = await PartnerApi.login(services[0]!.url, partner.credentials);
    expect((await api.transfer(destination, '5.00', 'k')).status).toBe(422);
    await operator.post(`/accounts/${source}/credits`, { amount: '5.00', reason: 'Teste' });
    const good = await api.transfer(destination, '5.00', 'k');
    expect(good.status).toBe(201);
    expect(good.headers.get('idempotent-replayed')).toBeNull();
  });

  it('with another request, unknown members included, is a conflict', async () => {
    const partner = await operator.partner(['10.00', '0.00']);
    const body = { refAccountCredit: partner.accounts[1], transferAmount: '1.00', note: { b: 1, a: 2 } };
    const key = { 'idempotency-key': 'k' };
    const api = await PartnerApi.login(services[0]!.url, partner.credentials);
    const first = await api.post('/accounts/transfer', body, key);
    const reordered = { note: { a: 2, b: 1 }, transferAmount: '1.00', refAccountCredit: partner.accounts[1] };
    const same = await api.post('/accounts/transfer/', reordered, key);
    expect(same.body).toEqual(first.body);
    const other = await api.post('/accounts/transfer', { ...body, note: { a: 2, b: 2 } }, key);
    expect(other.status).toBe(409);
    expect(other.body.error).toMatchObject({ name: 'ConflictError', details: { reason: 'IdempotencyKeyReuse' } });
    // The amount's fault is one of the body, and comes before the key.
    const zero = await api.post('/accounts/transfer', { ...body, transferAmount: '0' }, key);
    expect(zero.status).toBe(400);
  });

  it.each(['', 'x'.repeat(256), 'with space', 'ã'])('of the form %j is refused', async (key) => {
    const partner = await operator.partner(['10.00', '0.00']);
    const api = await PartnerApi.login(services[0]!.url, partner.credentials);
    const answer = await api.transfer(
      partner.accounts[1]!,
      '1.00',
      key === 'ã' ? Buffer.from(key).toString('latin1') : key,
    );
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].path).toBe('Idempotency-Key');
  });

  it('of an operator credit belongs to the credited account', async () => {
    const partner = await operator.partner(['0.00', '0.00']);
    const credit = (i: number) =>
      operator.post(
        `/accounts/${partner.accounts[i]}/credits`,
        { amount: '3.00', reason: 'Teste' },
        { 'idempotency-key': 'c' },
      );
    const [first, again, other] = [await credit(0), await credit(0), await credit(1)];
    expect(again).toEqual(first);
    expect(other.id).not.toBe(first.id);
    const api = await PartnerApi.login(services[0]!.url, partner.credentials);
    expect(await api.balance(partner.accounts[0]!)).toEqual({ available: '3.00', held: '0.00', blocked: '0.00' });
  });
});
