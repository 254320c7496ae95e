import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OperatorApi, PartnerApi, type TestPartner } from '../support/api.js';
import { assertLedgerSound } from '../support/audit.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { type Service, startService } from '../support/service.js';

const BATCH = '/accounts/transfers/batch';

let database: TestDatabase;
let service: Service;
let other: Service;
let operator: OperatorApi;
let partner: TestPartner;
let api: PartnerApi;
let to: string;

beforeAll(async () => {
  database = await createDatabase();
  [service, other] = [await startService(database.url), await startService(database.url)];
  operator = new OperatorApi(service.url);
}, 60_000);

beforeEach(async () => {
  partner = await operator.partner(['100.00', '0.00', '0.00']);
  await operator.patch(`/partners/${partner.uid}/settings`, { transferMinimum: '0.01' });
  to = partner.accounts[1]!;
  api = await PartnerApi.login(service.url, partner.credentials);
});

afterAll(async () => {
  await assertLedgerSound(database);
  await Promise.all([service.stop(), other.stop()]);
  await database.drop();
});

const item = (idempotencyKey: string, transferAmount: unknown = '1.00', more: object = {}) => ({
  idempotencyKey,
  refAccountCredit: to,
  transferAmount,
  ...more,
});
const keyed = (key: string) => ({ 'idempotency-key': key });
const send = (items: readonly unknown[], more: object = {}, headers?: Record<string, string>, by = api) =>
  by.post(BATCH, { items, ...more }, headers);
const available = async (uid: string) => (await api.balance(uid)).available;
const events = async () =>
  Number((await database.query(`select count(*) as n from event where type = 'TransferSettled'`))[0]!.n);
const shape = (items: any[]) => items.map(({ status, replayed, error }) => [status, replayed ?? error.details.reason]);
const withoutReplayed = ({ replayed: _, ...rest }: any) => rest;

describe('a batch of transfers', () => {
  it('answers with a result for each item, in their order, as the single route answers', async () => {
    const answer = await send([item('a', '10.00', { transferDescription: 'Ação' }), item('b', '500.00'), item('c', 5)]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      statusCode: 'Done',
      data: {
        items: [
          {
            idempotencyKey: 'a',
            status: 201,
            replayed: false,
            statusCode: 'Done',
            data: { id: expect.any(String), settlementDate: expect.stringMatching(/^[\d-]+T[\d:.]{12}$/) },
          },
          { idempotencyKey: 'b', status: 422, ...(await api.transfer(to, '500.00')).body },
          {
            idempotencyKey: 'c',
            status: 400,
            ...(await api.post('/accounts/transfer', { refAccountCredit: to, transferAmount: 5 })).body,
          },
        ],
        counts: { done: 1, error: 2 },
      },
    });
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
    expect(await available(to)).toBe('10.00');
  });

  it('decides its items in their order, on what those before them left', async () => {
    const { body } = await send([item('a', '60.00'), item('b', '60.00'), item('c', '40.00'), item('d', '0.01')]);
    expect(shape(body.data.items)).toEqual([
      [201, false],
      [422, 'CustomerAccountInsufficientFunds'],
      [201, false],
      [422, 'CustomerAccountInsufficientFunds'],
    ]);
    expect(await available(partner.accounts[0]!)).toBe('0.00');
  });

  it('keeps the order where a hold must be read for one of them', async () => {
    const hold = { amount: '1000.00', cause: 'Judicial', reference: 'R', retryUntil: '2100-01-01' };
    await operator.post(`/accounts/${to}/holds`, hold);
    const { body } = await send([
      item('a', '10.00', { refAccountCredit: partner.accounts[2] }),
      item('b', '90.00'),
      item('c', '90.00', { refAccountCredit: partner.accounts[2] }),
    ]);
    expect(body.data.items.map(({ status }: any) => status)).toEqual([201, 201, 422]);
    expect(await api.balance(to)).toMatchObject({ available: '0.00', blocked: '90.00' });
  });

  it('takes 500 items, and a body of up to 1 MiB that no other route takes', async () => {
    const items = Array.from({ length: 500 }, (_, i) => item(`k-${i}`, '0.01', { note: 'x'.repeat(1_900) }));
    expect(JSON.stringify({ items }).length).toBeGreaterThan(1_000_000);
    const answer = await send(items);
    expect(answer.body.data.counts).toEqual({ done: 500, error: 0 });
    expect(await available(to)).toBe('5.00');
    const tooLarge = await send([item('l', '1.00', { note: 'x'.repeat(1_100_000) })]);
    expect(tooLarge).toMatchObject({
      status: 413,
      body: { error: { message: 'The body must not be larger than 1 MiB.' } },
    });
    const single = await api.post('/accounts/transfer', item('l', '1.00', { note: 'x'.repeat(70_000) }));
    expect(single).toMatchObject({ status: 413, body: { error: { message: expect.stringContaining('64 KiB') } } });
  });

  it.each<[string, () => object, string, string]>([
    ['an unknown mode', () => ({ mode: 'both', items: [item('a')] }), 'mode', 'NotAllowed'],
    ['no items', () => ({}), 'items', 'Required'],
    ['items that are no list', () => ({ items: { 0: item('a') } }), 'items', 'InvalidType'],
    ['an empty list', () => ({ items: [] }), 'items', 'TooFew'],
    ['501 items', () => ({ items: Array.from({ length: 501 }, (_, i) => item(`${i}`)) }), 'items', 'TooMany'],
    ['an item that is none', () => ({ items: [item('a'), null] }), 'items.1', 'InvalidType'],
    [
      'no key',
      () => ({ items: [item('a'), { ...item(''), idempotencyKey: undefined }] }),
      'items.1.idempotencyKey',
      'Required',
    ],
    ['an empty key', () => ({ items: [item('')] }), 'items.0.idempotencyKey', 'InvalidFormat'],
    ['a key of 256', () => ({ items: [item('k'.repeat(256))] }), 'items.0.idempotencyKey', 'InvalidFormat'],
    ['a key twice', () => ({ items: [item('a'), item('b'), item('a')] }), 'items.2.idempotencyKey', 'Duplicate'],
  ])('is refused whole for %s', async (_, body, path, code) => {
    const answer = await api.post(BATCH, body());
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ name: 'InvalidInputError', details: [{ path, code }] });
    expect(await available(to)).toBe('0.00');
  });

  it('tells all faults of its own at once', async () => {
    const answer = await api.post(BATCH, { mode: 'x', items: [item('a'), 7, item('')] });
    expect(answer.body.error.details.map(({ path }: any) => path)).toEqual([
      'mode',
      'items.1',
      'items.2.idempotencyKey',
    ]);
  });
});

describe('keys of a batch', () => {
  it('are those of the single route, whichever came first', async () => {
    const single = await api.post(
      '/accounts/transfer',
      { transferAmount: '1.00', extra: { b: 1, a: 2 }, refAccountCredit: to },
      keyed('first-single'),
    );
    const batch = await send([item('first-single', '1.00', { extra: { a: 2, b: 1 } }), item('first-batch', '2.00')]);
    expect(batch.body.data.items[0]).toEqual({
      idempotencyKey: 'first-single',
      status: 201,
      replayed: true,
      ...single.body,
    });
    expect(batch.headers.get('idempotent-replayed')).toBeNull();
    const again = await api.transfer(to, '2.00', 'first-batch');
    expect(again).toMatchObject({ status: 201, body: { data: batch.body.data.items[1].data } });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await available(to)).toBe('3.00');
  });

  it('used with another request refuse that item only; a refusal uses up none', async () => {
    await api.transfer(to, '1.00', 'used');
    const first = await send([item('used', '2.00'), item('new', '200.00'), item('good')]);
    expect(shape(first.body.data.items)).toEqual([
      [409, 'IdempotencyKeyReuse'],
      [422, 'CustomerAccountInsufficientFunds'],
      [201, false],
    ]);
    const later = await send([item('new', '3.00')]);
    expect(shape(later.body.data.items)).toEqual([[201, false]]);
  });

  it('give the same results again, without the key of the whole and with it', async () => {
    const items = [item('a', '10.00'), item('b', '500.00'), item('c', '20.00')];
    const first = await send(items, {}, keyed('whole'));
    const [before, balance] = [await events(), await available(to)];
    for (const headers of [keyed('whole'), undefined]) {
      const again = await send(items, {}, headers, api.on(other.url));
      expect(again.status).toBe(200);
      expect(again.body.data.items.map(withoutReplayed)).toEqual(first.body.data.items.map(withoutReplayed));
      expect(shape(again.body.data.items).map(([, replayed]) => replayed)).toEqual([true, expect.any(String), true]);
      expect(again.headers.get('idempotent-replayed')).toBeNull();
    }
    expect([await events(), await available(to)]).toEqual([before, balance]);
  });

  it('of the whole tell a repetition, and refuse another body, in other batches and by itself', async () => {
    const items = [item('a'), item('b')];
    const first = await send(items, {}, keyed('whole'));
    const again = await send(items, {}, keyed('whole'));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.data.items).toEqual(first.body.data.items.map((one: any) => ({ ...one, replayed: true })));
    for (const by of [api, api.on(other.url)]) {
      for (const mode of ['independent', 'atomic']) {
        const conflict = await send([item('c')], { mode }, keyed('whole'), by);
        expect(conflict).toMatchObject({
          status: 409,
          body: { error: { details: { reason: 'IdempotencyKeyReuse' } } },
        });
      }
      expect((await by.transfer(to, '1.00', 'whole')).status).toBe(409);
    }
    expect((await send([item('whole', '7.00')])).body.data.items[0].status).toBe(409);
    expect(await available(to)).toBe('2.00');
    const same = await send([item('x'), item('self')], {}, keyed('self'));
    expect(same.body.error.details).toMatchObject([{ path: 'items.1.idempotencyKey', code: 'Duplicate' }]);
  });

  it('of a whole of which nothing was done stay free', async () => {
    await send([item('a', '500.00')], {}, keyed('whole'));
    const next = await send([item('b')], {}, keyed('whole'));
    expect(next.body.data.counts).toEqual({ done: 1, error: 0 });
  });

  it('run once, however many at once, on two instances, together with single requests', async () => {
    const items = Array.from({ length: 50 }, (_, i) => item(`k-${i}`));
    const storm = Array.from({ length: 6 }, (_, i) =>
      send(
        i % 2 === 0 ? items : [...items].reverse(),
        {},
        i < 2 ? keyed('w') : undefined,
        i % 3 ? api : api.on(other.url),
      ),
    );
    const singles = Array.from({ length: 20 }, (_, i) => api.on(other.url).transfer(to, '1.00', `k-${i}`));
    const [answers, alone] = await Promise.all([Promise.all(storm), Promise.all(singles)]);
    const ids = new Map<string, Set<string>>();
    for (const { status, body } of answers) {
      if (status === 409) continue;
      for (const { idempotencyKey, data } of body.data.items) {
        ids.set(idempotencyKey, (ids.get(idempotencyKey) ?? new Set()).add(data.id));
      }
    }
    alone.forEach(({ body }, i) => ids.get(`k-${i}`)!.add(body.data.id));
    expect([...ids.values()].map(({ size }) => size)).toEqual(items.map(() => 1));
    expect(await available(to)).toBe('50.00');
  });
});

describe('an atomic batch', () => {
  const atomic = { mode: 'atomic' };

  it('is done whole, in one commit', async () => {
    const { body } = await send([item('a'), item('b'), item('c')], atomic);
    expect(body.data.counts).toEqual({ done: 3, error: 0 });
    const times = await database.query(`select distinct time from event where stream = any($1)`, [
      body.data.items.map(({ data }: any) => `transfer-${data.id}`),
    ]);
    expect(times).toHaveLength(1);
  });

  it('of which one item is refused does nothing, uses up no key, and tells which item it was', async () => {
    const before = await events();
    const answer = await send([item('a'), item('b', '500.00'), item('c')], atomic, keyed('whole'));
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      statusCode: 'Error',
      error: { name: 'OperationError', details: { reason: 'NotApplied' } },
    });
    expect(shape(answer.body.data.items)).toEqual([
      [422, 'NotApplied'],
      [422, 'CustomerAccountInsufficientFunds'],
      [422, 'NotApplied'],
    ]);
    expect(answer.body.data.counts).toEqual({ done: 0, error: 3 });
    expect([await events(), await available(to)]).toEqual([before, '0.00']);
    const next = await send([item('a'), item('b', '50.00'), item('c')], atomic, keyed('whole'));
    expect(next.body.data.counts).toEqual({ done: 3, error: 0 });
  });

  it('that is refused replays what was done before, in its preview too', async () => {
    await api.transfer(to, '1.00', 'a');
    for (const path of ['', '?dryRun=true']) {
      const answer = await api.post(`${BATCH}${path}`, {
        items: [item('c'), item('b', '500.00'), item('a')],
        ...atomic,
      });
      expect(answer.status).toBe(422);
      const shown = answer.body.data.items.map(({ status, replayed }: any) => [status, replayed]);
      expect(shown).toEqual([
        [422, undefined],
        [422, undefined],
        [path ? 200 : 201, true],
      ]);
      expect(answer.body.data.counts).toEqual({ done: 1, error: 2 });
    }
    expect(await available(to)).toBe('1.00');
  });

  it('with malformed items replays what was done before, and keeps the key of the whole for its request', async () => {
    await api.transfer(to, '1.00', 'a');
    const items = [item('a'), item('b'), item('c', 'x')];
    for (const path of ['', '?dryRun=true']) {
      const answer = await api.post(`${BATCH}${path}`, { items, ...atomic });
      expect(answer.status).toBe(422);
      const shown = answer.body.data.items.map(({ status, replayed }: any) => [status, replayed]);
      expect(shown).toEqual([
        [path ? 200 : 201, true],
        [422, undefined],
        [400, undefined],
      ]);
    }
    expect(await available(to)).toBe('1.00');
    expect((await send([item('d')], atomic, keyed('whole'))).status).toBe(200);
    const other = await send(items, atomic, keyed('whole'));
    expect([other.status, other.body.error.details.reason]).toEqual([409, 'IdempotencyKeyReuse']);
  });

  it('with malformed items tells each one of them, and does nothing', async () => {
    const answer = await send([item('a'), item('b', 'x'), item('c', '0.00')], atomic);
    expect(answer.status).toBe(422);
    expect(answer.body.data.items.map(({ status }: any) => status)).toEqual([422, 400, 400]);
    expect(answer.body.data.items[1].error.details[0].path).toBe('transferAmount');
    expect(answer.body.data.items[2].error.details.reason).toBe('TransferAmountMustBeGreaterThanZero');
    expect(await available(to)).toBe('0.00');
  });

  it('replays what was done before, and does the rest with it', async () => {
    await api.transfer(to, '1.00', 'a');
    const first = await send([item('a'), item('b')], atomic);
    expect(shape(first.body.data.items)).toEqual([
      [201, true],
      [201, false],
    ]);
    const again = await send([item('a'), item('b')], atomic, undefined, api.on(other.url));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await available(to)).toBe('2.00');
    expect((await send([item('c'), item('a', '2.00')], atomic)).body.data.items.map((one: any) => one.status)).toEqual([
      422, 409,
    ]);
  });

  it('fills holds that it must read, and leaves nothing of them when it is refused', async () => {
    const hold = { amount: '1000.00', cause: 'Judicial', reference: 'R', retryUntil: '2100-01-01' };
    await operator.post(`/accounts/${to}/holds`, hold);
    expect((await send([item('a', '60.00'), item('b', '60.00')], atomic)).status).toBe(422);
    expect(await api.balance(to)).toMatchObject({ available: '0.00', blocked: '0.00' });
    expect((await send([item('a', '60.00'), item('b', '40.00')], atomic)).status).toBe(200);
    expect(await api.balance(to)).toMatchObject({ available: '0.00', blocked: '100.00' });
  });

  it('of 500 is one as well', async () => {
    const items = Array.from({ length: 500 }, (_, i) => item(`k-${i}`, '0.20', { transferDescription: `n. ${i}` }));
    expect((await send([...items.slice(1), item('last', '0.21')], atomic)).status).toBe(422);
    expect(await available(to)).toBe('0.00');
    expect((await send(items, atomic)).body.data.counts).toEqual({ done: 500, error: 0 });
    expect(await available(to)).toBe('100.00');
  });
});

describe('what a batch counts', () => {
  it('in the rate limit is its items, all or nothing', async () => {
    const limited = await startService(database.url, { RATE_LIMIT_PER_SECOND: '20' });
    try {
      const by = api.on(limited.url);
      const many = (n: number, name: string) => Array.from({ length: n }, (_, i) => item(`${name}-${i}`, '0.01'));
      // Nearly all of a second's: what is missing for the next one takes a second to come back.
      const first = await send(many(19, 'a'), {}, undefined, by);
      expect(first.status).toBe(200);
      // 1, and what has come back until the answer: one in 50 milliseconds.
      expect(first.headers.get('ratelimit')).toMatch(/^"key";r=([1-9]|1\d);t=1$/);
      const second = await send(many(20, 'b'), {}, undefined, by);
      expect(second).toMatchObject({ status: 429, body: { error: { message: expect.stringContaining('20 items') } } });
      expect(await available(to)).toBe('0.19');
      // More than a second's, once a second's is left: each refused one takes one, so they come seldom.
      const third = await eventually(
        async () => {
          const answer = await send(many(30, 'c'), {}, undefined, by);
          return answer.status === 200 && answer;
        },
        { every: 1_200 },
      );
      expect(third.body.data.counts).toEqual({ done: 30, error: 0 });
      // Refused ones count as one each: they end what is left, faster than it comes back, and are not read any more.
      const refused = async (n: number) => (await send(many(20, `d-${n}`), {}, undefined, by)).body.error.message;
      await eventually(async () => (await refused(0)).includes('20 items'));
      const messages = await Promise.all(Array.from({ length: 60 }, (_, n) => refused(n + 1)));
      expect(messages).toContain('At most 20 requests a second for one access key.');
    } finally {
      await limited.stop();
    }
  });
});
