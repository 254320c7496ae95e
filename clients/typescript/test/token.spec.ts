import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../../test/support/eventually.js';
import { NoAnswerError } from '../src/index.js';
import { DONE, failure, scripted, service, token } from './scripted-service.js';

const TRANSFER = { refAccountCredit: 'there', transferAmount: '1.00' };

describe('the token', () => {
  const bearer = () => service.calls.map(({ headers }) => headers.authorization);

  it('is fetched once for calls that start together, and kept', async () => {
    const client = await scripted([DONE]);
    await Promise.all([client.accounts.get('1'), client.accounts.get('2'), client.accounts.get('3')]);
    await client.accounts.get('4');
    expect(service.logins.map(({ body }) => JSON.parse(body))).toEqual([{ accessKey: 'key', secret: 'secret' }]);
    expect(new Set(bearer())).toEqual(new Set(['Bearer token-1']));
  });

  it('is renewed before it expires', async () => {
    let now = 0;
    const client = await scripted([DONE], { now: () => now });
    for (now of [0, 3_239_000, 3_241_000]) await client.accounts.get('1');
    await eventually(() => service.logins.length === 2);
    for (now of [3_600_000, 6_000_000]) await client.accounts.get('1');
    expect(bearer()).toEqual([...Array<string>(3).fill('Bearer token-1'), 'Bearer token-2', 'Bearer token-2']);
  });

  it('is renewed beside calls, which do not wait for a login that is not answered', async () => {
    let now = 0;
    const client = await scripted([DONE], { now: () => now }, (count) =>
      count === 1 ? token('the-first') : 'silence',
    );
    for (now of [0, 3_300_000, 3_400_000]) await client.accounts.get('1');
    expect(bearer()).toEqual(Array(3).fill('Bearer the-first'));
    await eventually(() => service.logins.length === 2);
  });

  it('goes on being used until its end while it cannot be renewed', async () => {
    let now = 0;
    const client = await scripted([DONE], { now: () => now, retries: { limit: 0 } }, (count) =>
      count === 1 ? token('the-first') : failure(503, 'ServiceUnavailable'),
    );
    for (now of [0, 3_300_000, 3_599_000]) await client.accounts.get('1');
    expect(bearer()).toEqual(['Bearer the-first', 'Bearer the-first', 'Bearer the-first']);
    now = 3_600_000;
    await expect(client.accounts.get('1')).rejects.toMatchObject({ name: 'ServiceUnavailable' });
  });

  it('that is refused is renewed once, by one login for all calls that it was refused to', async () => {
    const client = await scripted([failure(401, 'AuthenticationError'), failure(401, 'AuthenticationError'), DONE]);
    await Promise.all([client.accounts.get('1'), client.transfers.create(TRANSFER)]);
    expect(service.logins).toHaveLength(2);
    expect(bearer().sort()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2', 'Bearer token-2']);
  });

  it('that stays refused is told', async () => {
    const client = await scripted([failure(401, 'AuthenticationError')]);
    await expect(client.accounts.get('1')).rejects.toMatchObject({ name: 'AuthenticationError', status: 401 });
    expect([service.logins.length, service.calls.length]).toEqual([2, 2]);
  });

  it('is not asked for again where the credentials are wrong', async () => {
    const client = await scripted([DONE], {}, () => failure(401, 'AuthenticationError'));
    await expect(client.transfers.create(TRANSFER)).rejects.toMatchObject({ name: 'AuthenticationError' });
    expect([service.logins.length, service.calls.length]).toEqual([1, 0]);
  });

  it('that could not be had leaves nothing open: no attempt was made, and each command has its key', async () => {
    const client = await scripted([DONE], { retries: { limit: 0 } }, () => 'cut');
    const keys = ['one', 'two'];
    const calls = keys.map((idempotencyKey) => client.transfers.create(TRANSFER, { idempotencyKey }));
    const errors = await Promise.all(calls.map((call) => call.catch((error: unknown) => error as NoAnswerError)));
    expect(errors).toEqual([expect.any(NoAnswerError), expect.any(NoAnswerError)]);
    expect(errors.map((error) => (error as NoAnswerError).idempotencyKey)).toEqual(keys);
    expect(errors.map((error) => (error as NoAnswerError).isOutcomeUnknown)).toEqual([false, false]);
    expect([service.logins.length, service.calls.length]).toEqual([1, 0]);
  });

  it('is not asked for by a call that was aborted before, and leaves no rejection behind', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on('unhandledRejection', note);
    const client = await scripted([DONE], { retries: { limit: 0 } }, () => 'cut');
    const signal = AbortSignal.abort(new Error('no longer wanted'));
    await expect(client.transfers.create(TRANSFER, { signal })).rejects.toThrow('no longer wanted');
    await expect(client.accounts.get('1')).rejects.toBeInstanceOf(NoAnswerError);
    process.off('unhandledRejection', note);
    expect([unhandled, service.logins.length]).toEqual([[], 1]);
  });

  it('is asked for again where the login got no answer', async () => {
    const client = await scripted([DONE], {}, (count) => (count === 1 ? 'cut' : token('late')));
    await client.transfers.create(TRANSFER);
    expect(bearer()).toEqual(['Bearer late']);
  });
});
