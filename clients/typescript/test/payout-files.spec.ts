import { describe, expect, it } from '@jest/globals';
import { scripted, service } from './scripted-service.js';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A file of which one line was requested. */
const counts = { waiting: 1, registered: 1, completed: 0, error: 0, reversed: 0, cancelled: 0 };
const file = { status: 200, body: { statusCode: 'Done', data: { id: 'file', lines: 2, counts } } } as const;

describe('a file of payouts', () => {
  it('that is followed is let go at once by an abort in the middle of its progress', async () => {
    const running = { id: 'file', state: 'Running', counts: { waiting: 1 }, endedAt: null };
    const client = await scripted([{ status: 200, body: { statusCode: 'Done', data: running } }]);
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const { signal } = controller;
    const followed = client.payoutFiles.follow('file', {
      signal,
      everyMs: 60_000,
      onProgress: () => controller.abort(reason),
    });
    await expect(followed).rejects.toBe(reason);
  });

  it('gives its results however long they take, once they have begun in time', async () => {
    const slow = { status: 200, begins: '{"line":1}\n', afterMs: 900, then: 'end' } as const;
    const retries = { limit: 20, longestPauseMs: 1 };
    const client = await scripted([file, 'silence', slow], { timeoutMs: 600, retries });
    expect(await all(client.payoutFiles.results('file'))).toEqual([{ line: 1 }]);
    expect(service.calls.length).toBeGreaterThan(2);
  });

  it('is asked for its results again where an error was lost on its way', async () => {
    const lost = { status: 500, begins: '{"statusCode":', afterMs: 20, then: 'cut' } as const;
    const client = await scripted([file, lost, { status: 200, begins: '{"line":1}\n', afterMs: 0, then: 'end' }]);
    expect(await all(client.payoutFiles.results('file'))).toEqual([{ line: 1 }]);
    expect(service.calls).toHaveLength(3);
  });

  it('throws where its results end in the middle of a line: a proxy may end what broke off as if it were whole', async () => {
    const client = await scripted([file, { status: 200, begins: '{"line":1}\n{"li', afterMs: 0, then: 'end' }]);
    const results = client.payoutFiles.results('file')[Symbol.asyncIterator]();
    expect((await results.next()).value).toEqual({ line: 1 });
    await expect(results.next()).rejects.toMatchObject({ name: 'NoAnswerError', isOutcomeUnknown: true });
  });

  it('throws where its results end before a line that was requested, though at the end of one', async () => {
    const client = await scripted([file, { status: 200, begins: '', afterMs: 0, then: 'end' }]);
    await expect(all(client.payoutFiles.results('file'))).rejects.toMatchObject({
      name: 'NoAnswerError',
      cause: { message: '1 lines are missing' },
    });
  });

  it('gives no more results once its signal aborts', async () => {
    const client = await scripted([file, { status: 200, begins: '{"line":1}\n', afterMs: 20_000, then: 'end' }]);
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    const results = client.payoutFiles.results('file', { signal: controller.signal })[Symbol.asyncIterator]();
    expect((await results.next()).value).toEqual({ line: 1 });
    controller.abort(reason);
    await expect(results.next()).rejects.toBe(reason);
  });
});
