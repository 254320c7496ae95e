import { describe, expect, it } from '@jest/globals';
import { NoAnswerError, OutcomeUnknownError, type PaymentsClient, PaymentsError } from '../src/index.js';
import { DONE, failure, type Scripted, scripted, service, token } from './scripted-service.js';

const TRANSFER = { refAccountCredit: 'there', transferAmount: '1.00' };

describe('a command', () => {
  it.each<[string, Scripted]>([
    ['whose answer got lost', 'cut'],
    ['of which the service does not know the outcome', failure(503, 'OutcomeUnknown', { 'retry-after': '0' })],
    ['that a proxy could not pass on', { status: 502 }],
    ['that a proxy did not hear to its end', { status: 408 }],
    ['whose answer a proxy did not understand', { status: 520 }],
    ['that a proxy failed at', { status: 500 }],
    ['that a proxy gave up, with a name of its own', failure(504, 'GatewayTimeout')],
    ['that a proxy gave up, with the name of a property', failure(500, 'constructor')],
    ['that a proxy found one too many', { status: 429, headers: { 'retry-after': '0' } }],
    ['that a proxy answered with a page', { status: 200 }],
    ['that a proxy answered with JSON of its own', { status: 201, body: { ok: true } }],
    ['that a mock answered with a success of nothing', { status: 201, body: { statusCode: 'Done' } }],
    ['that a mock answered with no data', { status: 201, body: { statusCode: 'Incomplete', data: null } }],
    ['that a mock answered with empty data', { status: 201, body: { statusCode: 'Done', data: {} } }],
    ['that found the service away', failure(503, 'ServiceUnavailable', { 'retry-after': '0' })],
    ['that came too soon after others', failure(429, 'TooManyRequests', { 'retry-after': '0' })],
  ])('%s is repeated under the same key', async (_what, first) => {
    const client = await scripted([first, first, DONE]);
    const result = await client.transfers.create(TRANSFER);
    expect(result.data).toEqual({ id: 'the-answer' });
    const keys = service.calls.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([result.idempotencyKey, result.idempotencyKey, result.idempotencyKey]);
    expect(service.calls.map(({ body }) => JSON.parse(body))).toEqual([TRANSFER, TRANSFER, TRANSFER]);
  });

  it.each<[string, Scripted]>([
    ['malformed', failure(400, 'InvalidInputError')],
    ['refused', failure(422, 'OperationError')],
    ['in conflict with an earlier one', failure(409, 'ConflictError')],
    ['lost to a defect', failure(500, 'InternalError')],
    ['not read to its end', failure(408, 'RequestTimeout')],
  ])('that is %s is not repeated', async (_what, first) => {
    const client = await scripted([first, DONE]);
    const call = client.transfers.create(TRANSFER, { idempotencyKey: 'mine' });
    await expect(call).rejects.toMatchObject({ idempotencyKey: 'mine' });
    expect(service.calls).toHaveLength(1);
  });

  it('is given up after the limit, with the key to go on with', async () => {
    const client = await scripted(['cut'], { retries: { limit: 2, longestPauseMs: 1 } });
    const error = await client.pix.refund('id').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NoAnswerError);
    expect(service.calls).toHaveLength(3);
    expect((error as NoAnswerError).idempotencyKey).toBe(service.calls[0]!.headers['idempotency-key']);
  });

  it.each([{ limit: Number(undefined) }, { longestPauseMs: Number(undefined) }])(
    'is given up at once, instead of never, where an option is no number: %j',
    async (retries) => {
      const client = await scripted(['cut', 'cut', 'cut', DONE], { retries });
      await expect(client.transfers.create(TRANSFER)).rejects.toBeInstanceOf(NoAnswerError);
      expect(service.calls).toHaveLength(1);
    },
  );

  it('without a key is repeated only where nothing was done', async () => {
    const client = await scripted([failure(503, 'ServiceUnavailable'), 'cut', DONE]);
    await expect(client.webhooks.redeliver('id')).rejects.toBeInstanceOf(NoAnswerError);
    expect(service.calls).toHaveLength(2);
  });

  it('waits as long as it is asked to', async () => {
    const client = await scripted([failure(429, 'TooManyRequests', { 'retry-after': '1' }), DONE]);
    await client.transfers.create(TRANSFER);
    expect(service.calls[1]!.at - service.calls[0]!.at).toBeGreaterThanOrEqual(995);
  });

  it('does not wait for longer than it may', async () => {
    const client = await scripted([failure(429, 'TooManyRequests', { 'retry-after': '3600' }), DONE]);
    await expect(client.transfers.create(TRANSFER)).rejects.toMatchObject({ retryAfterSeconds: 3600 });
    expect(service.calls).toHaveLength(1);
  });

  it.each<[string, Scripted]>([
    ['an answer', 'silence'],
    ['its next try', failure(503, 'ServiceUnavailable', { 'retry-after': '20' })],
  ])('that waits for %s ends with the reason of its signal', async (_what, first) => {
    const client = await scripted([first]);
    const reason = new Error('no longer wanted');
    const controller = new AbortController();
    const call = client.transfers.create(TRANSFER, { signal: controller.signal });
    const asked = setInterval(() => service.calls.length > 0 && controller.abort(reason), 5);
    await expect(call).rejects.toBe(reason);
    clearInterval(asked);
    expect(service.calls).toHaveLength(1);
  });

  it('that gets no answer in time is repeated', async () => {
    // Of a busy machine later answers may be late, too; none of them makes it another command.
    const client = await scripted(['silence', DONE], { timeoutMs: 200, retries: { limit: 20, longestPauseMs: 1 } });
    const { idempotencyKey } = await client.transfers.create(TRANSFER);
    expect(service.calls.length).toBeGreaterThan(1);
    const keys = service.calls.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys)).toEqual(new Set([idempotencyKey]));
  });

  it('that cannot be sent is the fault of its caller: nothing is left open, and no login asked for', async () => {
    const client = await scripted([DONE]);
    const body = { ...TRANSFER, transferAmount: 100n as never };
    await expect(client.transfers.create(body)).rejects.toBeInstanceOf(TypeError);
    for (const idempotencyKey of ['', ' padded', 'ação', 'a\nb', 'x'.repeat(256)]) {
      await expect(client.transfers.create(TRANSFER, { idempotencyKey })).rejects.toBeInstanceOf(RangeError);
    }
    expect(service.calls).toEqual([]);
  });

  it('does not follow a redirect, which would carry the token elsewhere', async () => {
    const client = await scripted([{ status: 307, headers: { location: 'http://127.0.0.1:1/' } }], {
      retries: { limit: 0 },
    });
    await expect(client.transfers.create(TRANSFER)).rejects.toBeInstanceOf(NoAnswerError);
  });
});

describe('a command with an attempt that may have done it', () => {
  const unknown = failure(503, 'OutcomeUnknown', { 'retry-after': '0' });
  const away = failure(503, 'ServiceUnavailable', { 'retry-after': '0' });
  const busy = failure(429, 'TooManyRequests', { 'retry-after': '3600' });

  type Ending = [how: string, answers: Scripted[], thrown: object, cause: object];
  it.each<Ending>([
    ['found the service away', [unknown, away], { name: 'OutcomeUnknown' }, { name: 'ServiceUnavailable' }],
    ['was one too many', ['cut', busy], { name: 'NoAnswerError' }, { retryAfterSeconds: 3600 }],
    ['was forbidden', ['cut', failure(403, 'Forbidden')], { name: 'NoAnswerError' }, { name: 'Forbidden' }],
    ['was of no valid key', [unknown, failure(401, 'AuthenticationError')], { status: 503 }, { status: 401 }],
    ['was refused', ['cut', failure(422, 'OperationError')], { name: 'NoAnswerError' }, { name: 'OperationError' }],
    ['found nothing', [unknown, failure(404, 'EntityNotFound')], { name: 'OutcomeUnknown' }, { status: 404 }],
    ['met a proxy alone', [{ status: 502 }, { status: 404 }], { status: 502 }, { status: 404 }],
    ['displeased a proxy', ['cut', failure(400, 'BadRequest')], { name: 'NoAnswerError' }, { name: 'BadRequest' }],
    ['was in conflict with a proxy', [unknown, failure(409, 'Conflict')], { status: 503 }, { name: 'Conflict' }],
  ])('throws its error where the last one %s', async (_how, answers, thrown, cause) => {
    const client = await scripted(answers, { retries: { limit: 1, longestPauseMs: 1_000 } });
    const call = client.pix.cashOut({} as never, { idempotencyKey: 'mine' });
    await expect(call).rejects.toMatchObject({ ...thrown, idempotencyKey: 'mine', cause });
  });

  it.each<[string, Scripted[]]>([
    ['first', [failure(500, 'InternalError')]],
    ['last', ['cut', failure(500, 'InternalError')]],
  ])('is one that met a defect, be it the %s', async (_which, answers) => {
    const client = await scripted(answers);
    await expect(client.transfers.create(TRANSFER)).rejects.toMatchObject({ status: 500, isOutcomeUnknown: true });
    expect(service.calls).toHaveLength(answers.length);
  });

  it('throws it whatever else was tried since', async () => {
    const client = await scripted([unknown, away, busy]);
    const call = client.transfers.create(TRANSFER);
    await expect(call).rejects.toBeInstanceOf(OutcomeUnknownError);
    await expect(call).rejects.toMatchObject({ cause: { name: 'TooManyRequests' } });
    expect(service.calls).toHaveLength(3);
  });

  it('throws it where no token is had any more', async () => {
    const answers = [unknown, failure(401, 'AuthenticationError')];
    const client = await scripted(answers, {}, (count) => (count === 1 ? token('once') : failure(403, 'Forbidden')));
    const call = client.transfers.create(TRANSFER);
    await expect(call).rejects.toMatchObject({ name: 'OutcomeUnknown', cause: { name: 'Forbidden' } });
  });

  it('throws it though the last one was refused: the first may still be under way', async () => {
    const client = await scripted(['cut', failure(422, 'OperationError')]);
    const error = await client.transfers.create(TRANSFER).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PaymentsError);
    expect((error as PaymentsError).isOutcomeUnknown).toBe(true);
  });

  it.each<[number, string]>([
    [400, 'InvalidInputError'],
    [409, 'ConflictError'],
  ])('throws a %i, which is an answer to all of them', async (status, name) => {
    const client = await scripted(['cut', failure(status, name)]);
    const call = client.transfers.create(TRANSFER);
    await expect(call).rejects.toMatchObject({ name, status, isOutcomeUnknown: false });
  });

  it('throws it where a rule that depends on the moment refused the last one', async () => {
    const details = { reason: 'AmountAboveMaximum', maximum: '1000.00' };
    const error = { name: 'InvalidInputError', code: 'InvalidInputError', details };
    const client = await scripted(['cut', { status: 400, body: { statusCode: 'Error', error } }]);
    const call = client.pix.cashOut({} as never);
    await expect(call).rejects.toMatchObject({ name: 'NoAnswerError', cause: { reason: 'AmountAboveMaximum' } });
  });

  it('is unlike a read, which throws what it met last', async () => {
    const client = await scripted(['cut', failure(403, 'Forbidden')]);
    await expect(client.accounts.get('1')).rejects.toMatchObject({ name: 'Forbidden' });
  });
});

describe('a batch', () => {
  const item = (idempotencyKey: string, status: number, more: object = {}) => ({ idempotencyKey, status, ...more });
  const batch = (...items: object[]): Scripted => ({ status: 200, body: { statusCode: 'Done', data: { items } } });
  const [done, open] = [item('a', 201), item('b', 503, { statusCode: 'Error', error: { name: 'OutcomeUnknown' } })];
  const retries = { limit: 2, longestPauseMs: 1 };

  it('is repeated under the same key while the outcome of an item is unknown', async () => {
    const replayed = item('a', 201, { replayed: true });
    const client = await scripted([batch(done, open), batch(replayed, item('b', 201))], { retries });
    const { data, idempotencyKey } = await client.pix.cashOutBatch({ mode: 'independent', items: [] });
    expect(data.items).toEqual([replayed, item('b', 201)]);
    expect(service.calls.map(({ headers }) => headers['idempotency-key'])).toEqual([idempotencyKey, idempotencyKey]);
  });

  it.each<[string, Scripted[], number]>([
    ['is still unknown', [batch(done, open)], 3],
    ['was not told any more', [batch(done, open), failure(429, 'TooManyRequests', { 'retry-after': '3600' })], 2],
    ['could not be asked for with a valid key', [batch(done, open), failure(401, 'AuthenticationError')], 3],
  ])('gives what is known where that of an item %s', async (_how, answers, calls) => {
    const client = await scripted(answers, { retries });
    expect((await client.transfers.createBatch({ mode: 'independent', items: [] })).data.items).toEqual([done, open]);
    expect(service.calls).toHaveLength(calls);
  });

  it('with a refused item is not repeated', async () => {
    const refused = item('b', 422, { statusCode: 'Error' });
    const client = await scripted([batch(done, refused), DONE], { retries });
    expect((await client.transfers.createBatch({ mode: 'independent', items: [] })).data.items).toEqual([
      done,
      refused,
    ]);
    expect(service.calls).toHaveLength(1);
  });
});

describe('a list', () => {
  it('ends with an error where a page names itself as the next one', async () => {
    const page = { status: 200, body: { statusCode: 'Done', data: { items: [1], nextCursor: 'itself' } } };
    const client = await scripted([page]);
    const found: unknown[] = [];
    const all = async () => {
      for await (const item of client.transactions.list()) found.push(item);
    };
    await expect(all()).rejects.toThrow('a page names itself as the next one');
    expect([found, service.calls.length]).toEqual([[1], 2]);
  });
});

describe('a change without a key', () => {
  it('is sent once where a second one would be refused: the end of a schedule', async () => {
    const client = await scripted(['cut', failure(422, 'OperationError')]);
    await expect(client.schedules.cancel('id')).rejects.toBeInstanceOf(NoAnswerError);
    expect(service.calls.map(({ method }) => method)).toEqual(['DELETE']);
  });

  it('is repeated where a second one is the same as one: the webhook address of an account', async () => {
    const client = await scripted(['cut', DONE, 'cut', DONE]);
    await client.webhooks.setForAccount('uid', { url: 'https://there' });
    await client.webhooks.removeFromAccount('uid');
    expect(service.calls.map(({ method }) => method)).toEqual(['PUT', 'PUT', 'DELETE', 'DELETE']);
  });
});

describe('a preview', () => {
  const PAYOUT = { payment: { value: '1.00' }, transaction: { orderId: 'o' } } as never;
  type Preview = [of: string, path: string, run: (client: PaymentsClient, key?: object) => Promise<unknown>];
  const previews: Preview[] = [
    ['a transfer', 'accounts/transfer', (client, key) => client.transfers.previewCreate(TRANSFER, key)],
    [
      'a batch of transfers',
      'accounts/transfers/batch',
      (client, key) => client.transfers.previewCreateBatch({ mode: 'atomic', items: [] }, key),
    ],
    ['a cash-out', 'accounts/pix/cashout', (client, key) => client.pix.previewCashOut(PAYOUT, key)],
    [
      'a batch of cash-outs',
      'accounts/pix/cashouts/batch',
      (client, key) => client.pix.previewCashOutBatch({ mode: 'independent', items: [] }, key),
    ],
    ['a cash-in', 'accounts/pix/cashin', (client, key) => client.pix.previewCashIn(PAYOUT, key)],
    ['a refund', 'accounts/pix/cashin/id/refunds', (client, key) => client.pix.previewRefund('id', {}, key)],
    ['a schedule', 'accounts/schedules', (client, key) => client.schedules.previewCreate({} as never, key)],
    ['a file', 'payouts/files', (client, key) => client.payoutFiles.previewUpload('{}', 'jsonl', key)],
  ];

  it.each(previews)('of %s is a dry run, asked for again where its answer got lost', async (_of, path, run) => {
    const client = await scripted(['cut', DONE]);
    expect(await run(client)).toEqual({ id: 'the-answer' });
    await run(client, { idempotencyKey: 'mine' });
    const keys = service.calls.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([undefined, undefined, 'mine']);
    expect(new Set(service.calls.map((one) => one.path))).toEqual(new Set([`/partners-int/${path}?dryRun=true`]));
    const type = path === 'payouts/files' ? 'application/x-ndjson' : 'application/json';
    expect(service.calls[0]!.headers['content-type']).toBe(type);
  });
});
