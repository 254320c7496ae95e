import { describe, expect, it } from '@jest/globals';
import { BATCH, batchesForEach, keyed, shape } from '../support/transfer-batches.js';

const { given, item, send, available, events } = batchesForEach();

describe('an atomic batch', () => {
  const atomic = { mode: 'atomic' };

  it('is done whole, in one commit', async () => {
    const { body } = await send([item('a'), item('b'), item('c')], atomic);
    expect(body.data.counts).toEqual({ done: 3, error: 0 });
    const times = await given.database.query(`select distinct time from event where stream = any($1)`, [
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
    expect([await events(), await available(given.to)]).toEqual([before, '0.00']);
    const next = await send([item('a'), item('b', '50.00'), item('c')], atomic, keyed('whole'));
    expect(next.body.data.counts).toEqual({ done: 3, error: 0 });
  });

  it('that is refused replays what was done before, in its preview too', async () => {
    await given.api.transfer(given.to, '1.00', 'a');
    for (const path of ['', '?dryRun=true']) {
      const answer = await given.api.post(`${BATCH}${path}`, {
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
    expect(await available(given.to)).toBe('1.00');
  });

  it('with malformed items replays what was done before, and keeps the key of the whole for its request', async () => {
    await given.api.transfer(given.to, '1.00', 'a');
    const items = [item('a'), item('b'), item('c', 'x')];
    for (const path of ['', '?dryRun=true']) {
      const answer = await given.api.post(`${BATCH}${path}`, { items, ...atomic });
      expect(answer.status).toBe(422);
      const shown = answer.body.data.items.map(({ status, replayed }: any) => [status, replayed]);
      expect(shown).toEqual([
        [path ? 200 : 201, true],
        [422, undefined],
        [400, undefined],
      ]);
    }
    expect(await available(given.to)).toBe('1.00');
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
    expect(await available(given.to)).toBe('0.00');
  });

  it('replays what was done before, and does the rest with it', async () => {
    await given.api.transfer(given.to, '1.00', 'a');
    const first = await send([item('a'), item('b')], atomic);
    expect(shape(first.body.data.items)).toEqual([
      [201, true],
      [201, false],
    ]);
    const again = await send([item('a'), item('b')], atomic, undefined, given.api.on(given.other.url));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await available(given.to)).toBe('2.00');
    expect((await send([item('c'), item('a', '2.00')], atomic)).body.data.items.map((one: any) => one.status)).toEqual([
      422, 409,
    ]);
  });

  it('fills holds that it must read, and leaves nothing of them when it is refused', async () => {
    const hold = { amount: '1000.00', cause: 'Judicial', reference: 'R', retryUntil: '2100-01-01' };
    await given.operator.post(`/accounts/${given.to}/holds`, hold);
    expect((await send([item('a', '60.00'), item('b', '60.00')], atomic)).status).toBe(422);
    expect(await given.api.balance(given.to)).toMatchObject({ available: '0.00', blocked: '0.00' });
    expect((await send([item('a', '60.00'), item('b', '40.00')], atomic)).status).toBe(200);
    expect(await given.api.balance(given.to)).toMatchObject({ available: '0.00', blocked: '100.00' });
  });

  it('of 500 is one as well', async () => {
    const items = Array.from({ length: 500 }, (_, i) => item(`k-${i}`, '0.20', { transferDescription: `n. ${i}` }));
    expect((await send([...items.slice(1), item('last', '0.21')], atomic)).status).toBe(422);
    expect(await available(given.to)).toBe('0.00');
    expect((await send(items, atomic)).body.data.counts).toEqual({ done: 500, error: 0 });
    expect(await available(given.to)).toBe('100.00');
  });
});
