import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { HeldLease } from '../../../event-store/index.js';
import { RailUnavailable } from '../rail-errors.js';
import { ApiPixClient, type ApiPixRequest } from './api-pix-client.js';
import { STANDARD } from './dialect.js';
import type { HttpAnswer, HttpRequest, MutualTls } from './mutual-tls.js';
import { ApiPixRefusal } from './problem.js';
import type { TokenSource } from './token-source.js';

const REQUEST = { operation: 'PUT x', method: 'PUT', path: '/x', body: { a: 1 } } as const satisfies ApiPixRequest;
const TIMEOUT_MS = 2_000;

type Answer = number | Partial<HttpAnswer> | Error;

/** Calls a PSP that answers so, one after the other, the last one again and again. @returns what came of it */
async function call(answers: readonly Answer[], request: ApiPixRequest = REQUEST) {
  const sent: HttpRequest[] = [];
  const at: number[] = [];
  const dropped: string[] = [];
  let tokens = 0;
  const http = {
    request: async (one: HttpRequest) => {
      const answer = answers[Math.min(sent.length, answers.length - 1)]!;
      sent.push(one);
      at.push(Date.now());
      if (answer instanceof Error) throw answer;
      return {
        status: 200,
        body: {},
        retryAfter: undefined,
        ...(typeof answer === 'number' ? { status: answer } : answer),
      };
    },
  } as unknown as MutualTls;
  const source = {
    get: async () => `t${tokens}`,
    drop: (value: string) => {
      dropped.push(value);
      tokens += 1;
    },
  } as unknown as TokenSource;
  const client = new ApiPixClient(http, source, { baseUrl: 'https://psp/v2', timeoutMs: TIMEOUT_MS }, STANDARD);
  const outcome = client.call(request).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(20_000);
  return { outcome: await outcome, sent, at, dropped };
}
const unavailable = (retryAfterMs = 0) => Object.assign(new RailUnavailable('no answer'), { retryAfterMs });

describe('a call of the PSP', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it.each([200, 201, 204, 299])('that is answered %d is done', async (status) => {
    const { outcome, sent } = await call([{ status, body: 'it' }]);
    expect([outcome, sent.length]).toEqual(['it', 1]);
  });

  it.each([400, 404, 409, 410, 422])('that is answered %d is refused, and not repeated', async (status) => {
    const { outcome, sent } = await call([status]);
    expect(outcome).toBeInstanceOf(ApiPixRefusal);
    expect(sent).toHaveLength(1);
  });

  it.each<[Answer, number, number]>([
    [408, 3, 1],
    [429, 3, 3],
    [500, 3, 1],
    [502, 3, 1],
    [503, 3, 1],
    [unavailable(), 3, 1],
    [199, 1, 1],
    [300, 1, 1],
    [403, 1, 1],
    [407, 1, 1],
    [430, 1, 1],
    [{ status: 503, retryAfter: 3_600 }, 1, 1],
    [{ status: 429, retryAfter: 3_600 }, 1, 1],
    [unavailable(3_600_000), 1, 1],
  ])('that is answered %p is sent %d times, and %d where it is to be sent once', async (answer, times, once) => {
    const repeated = await call([answer]);
    expect(repeated.outcome).toBeInstanceOf(RailUnavailable);
    expect((repeated.outcome as Error).message).toMatch(/^PUT x: /);
    const single = await call([answer], { ...REQUEST, once: true });
    expect(single.outcome).toBeInstanceOf(RailUnavailable);
    expect([repeated.sent.length, single.sent.length]).toEqual([times, once]);
  });

  it('that is repeated has the first answer that counts', async () => {
    expect((await call([500, unavailable(), { body: 'it' }])).outcome).toBe('it');
    expect((await call([503, 422])).outcome).toBeInstanceOf(ApiPixRefusal);
  });

  it('waits as long as the PSP asks, and makes no attempt that would end after nine seconds', async () => {
    const began = Date.now();
    const { at } = await call([{ status: 503, retryAfter: 2 }]);
    expect(at.map((time) => time - began)).toEqual([0, 2_000, 4_000]);
    expect((await call([{ status: 503, retryAfter: 4 }])).sent).toHaveLength(2);
  });

  it('has one more attempt with a new token after a 401', async () => {
    const { outcome, sent, dropped } = await call([401, { body: 'it' }], { ...REQUEST, once: true });
    const used = sent.map(({ headers }) => headers!.authorization);
    expect([outcome, dropped, used]).toEqual(['it', ['t0'], ['Bearer t0', 'Bearer t1']]);
    const again = await call([401]);
    expect([again.outcome, again.sent.length]).toEqual([expect.any(RailUnavailable), 2]);
  });

  it('is not sent once its lease may be over, nor a second time', async () => {
    const lease = new HeldLease('a-lease');
    expect((await call([200], { ...REQUEST, lease })).sent).toHaveLength(1);
    const over = await call([200], { ...REQUEST, lease });
    expect([over.outcome, over.sent.length]).toEqual([expect.any(RailUnavailable), 0]);
  });

  it('carries its body, its query and its own base', async () => {
    const { sent } = await call([200], { ...REQUEST, base: 'https://own', query: { a: 'b c' }, headers: { x: 'y' } });
    expect(sent).toMatchObject([{ method: 'PUT', url: 'https://own/x?a=b+c', body: '{"a":1}' }]);
    expect(sent[0]!.headers).toEqual({ authorization: 'Bearer t0', 'content-type': 'application/json', x: 'y' });
    const bare = await call([200], { operation: 'GET x', method: 'GET', path: '/x' });
    expect(bare.sent).toMatchObject([{ url: 'https://psp/v2/x', body: undefined }]);
    expect(bare.sent[0]!.headers).toEqual({ authorization: 'Bearer t0' });
  });
});
