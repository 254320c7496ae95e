import { describe, expect, it } from '@jest/globals';
import { BATCH, batchesForEach, keyed, shape } from '../support/transfer-batches.js';

const { given, item, send, available, events } = batchesForEach();
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
          { idempotencyKey: 'b', status: 422, ...(await given.api.transfer(given.to, '500.00')).body },
          {
            idempotencyKey: 'c',
            status: 400,
            ...(await given.api.post('/accounts/transfer', { refAccountCredit: given.to, transferAmount: 5 })).body,
          },
        ],
        counts: { done: 1, error: 2 },
      },
    });
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
    expect(await available(given.to)).toBe('10.00');
  });

  it('decides its items in their order, on what those before them left', async () => {
    const { body } = await send([item('a', '60.00'), item('b', '60.00'), item('c', '40.00'), item('d', '0.01')]);
    expect(shape(body.data.items)).toEqual([
      [201, false],
      [422, 'CustomerAccountInsufficientFunds'],
      [201, false],
      [422, 'CustomerAccountInsufficientFunds'],
    ]);
    expect(await available(given.partner.accounts[0]!)).toBe('0.00');
  });

  it('keeps the order where a hold must be read for one of them', async () => {
    const hold = { amount: '1000.00', cause: 'Judicial', reference: 'R', retryUntil: '2100-01-01' };
    await given.operator.post(`/accounts/${given.to}/holds`, hold);
    const { body } = await send([
      item('a', '10.00', { refAccountCredit: given.partner.accounts[2] }),
      item('b', '90.00'),
      item('c', '90.00', { refAccountCredit: given.partner.accounts[2] }),
    ]);
    expect(body.data.items.map(({ status }: any) => status)).toEqual([201, 201, 422]);
    expect(await given.api.balance(given.to)).toMatchObject({ available: '0.00', blocked: '90.00' });
  });

  it('takes 500 items, and a body of up to 1 MiB that no other route takes', async () => {
    const items = Array.from({ length: 500 }, (_, i) => item(`k-${i}`, '0.01', { note: 'x'.repeat(1_900) }));
    expect(JSON.stringify({ items }).length).toBeGreaterThan(1_000_000);
    const answer = await send(items);
    expect(answer.body.data.counts).toEqual({ done: 500, error: 0 });
    expect(await available(given.to)).toBe('5.00');
    const tooLarge = await send([item('l', '1.00', { note: 'x'.repeat(1_100_000) })]);
    expect(tooLarge).toMatchObject({
      status: 413,
      body: { error: { message: 'The body must not be larger than 1 MiB.' } },
    });
    const single = await given.api.post('/accounts/transfer', item('l', '1.00', { note: 'x'.repeat(70_000) }));
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
    const answer = await given.api.post(BATCH, body());
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ name: 'InvalidInputError', details: [{ path, code }] });
    expect(await available(given.to)).toBe('0.00');
  });

  it('tells all faults of its own at once', async () => {
    const answer = await given.api.post(BATCH, { mode: 'x', items: [item('a'), 7, item('')] });
    expect(answer.body.error.details.map(({ path }: any) => path)).toEqual([
      'mode',
      'items.1',
      'items.2.idempotencyKey',
    ]);
  });
});

describe('keys of a batch', () => {
  it('are those of the single route, whichever came first', async () => {
    const single = await given.api.post(
      '/accounts/transfer',
      { transferAmount: '1.00', extra: { b: 1, a: 2 }, refAccountCredit: given.to },
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
    const again = await given.api.transfer(given.to, '2.00', 'first-batch');
    expect(again).toMatchObject({ status: 201, body: { data: batch.body.data.items[1].data } });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await available(given.to)).toBe('3.00');
  });

  it('used with another request refuse that item only; a refusal uses up none', async () => {
    await given.api.transfer(given.to, '1.00', 'used');
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
    const [before, balance] = [await events(), await available(given.to)];
    for (const headers of [keyed('whole'), undefined]) {
      const again = await send(items, {}, headers, given.api.on(given.other.url));
      expect(again.status).toBe(200);
      expect(again.body.data.items.map(withoutReplayed)).toEqual(first.body.data.items.map(withoutReplayed));
      expect(shape(again.body.data.items).map(([, replayed]) => replayed)).toEqual([true, expect.any(String), true]);
      expect(again.headers.get('idempotent-replayed')).toBeNull();
    }
    expect([await events(), await available(given.to)]).toEqual([before, balance]);
  });

  it('of the whole tell a repetition, and refuse another body, in other batches and by itself', async () => {
    const items = [item('a'), item('b')];
    const first = await send(items, {}, keyed('whole'));
    const again = await send(items, {}, keyed('whole'));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.data.items).toEqual(first.body.data.items.map((one: any) => ({ ...one, replayed: true })));
    for (const by of [given.api, given.api.on(given.other.url)]) {
      for (const mode of ['independent', 'atomic']) {
        const conflict = await send([item('c')], { mode }, keyed('whole'), by);
        expect(conflict).toMatchObject({
          status: 409,
          body: { error: { details: { reason: 'IdempotencyKeyReuse' } } },
        });
      }
      expect((await by.transfer(given.to, '1.00', 'whole')).status).toBe(409);
    }
    expect((await send([item('whole', '7.00')])).body.data.items[0].status).toBe(409);
    expect(await available(given.to)).toBe('2.00');
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
        i % 3 ? given.api : given.api.on(given.other.url),
      ),
    );
    const singles = Array.from({ length: 20 }, (_, i) =>
      given.api.on(given.other.url).transfer(given.to, '1.00', `k-${i}`),
    );
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
    expect(await available(given.to)).toBe('50.00');
  });
});
