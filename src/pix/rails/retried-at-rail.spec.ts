import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { LogContradicted } from '../../event-store/index.js';
import { ServiceUnavailable } from '../../platform/errors/index.js';
import { OfAnotherRail, RailUnavailable } from './rail-errors.js';
import { retriedAtRail } from './retried-at-rail.js';

const NOW = new Date('2026-11-20T12:00:00Z');

beforeEach(() => void jest.useFakeTimers({ now: NOW }));
afterEach(() => void jest.useRealTimers());

const item = (attempts: number) => ({ id: 'work', attempts });
const after = (seconds: number) => ({ retryAt: new Date(NOW.getTime() + seconds * 1000) });
const unavailable = (seconds: number) => async () => {
  const error = new RailUnavailable('the PSP is unavailable');
  error.retryAfterMs = seconds * 1000;
  throw error;
};

describe('work at the rail', () => {
  it('ends as its attempt does', async () => {
    expect(await retriedAtRail(item(1), async () => 'done')).toBe('done');
    expect(await retriedAtRail(item(1), async () => after(1))).toEqual(after(1));
  });

  it.each([
    ['its own pause where the rail names none', 3, 0, 5],
    ['its own pause where that is longer', 6, 30, 60],
    ['what the rail asks for where that is longer', 1, 90, 90],
    ['an hour where the rail asks for years', 1, 100_000_000, 3_600],
  ])('is retried after %s', async (_what, attempts, retryAfter, seconds) => {
    expect(await retriedAtRail(item(attempts), unavailable(retryAfter))).toEqual(after(seconds));
  });

  it('fails by what is not the rail’s', async () => {
    const broken = async () => {
      throw new TypeError('broken');
    };
    await expect(retriedAtRail(item(1), broken)).rejects.toThrow('broken');
  });

  it('is retried, and told each time, where an operator must look at the log', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const contradicted = () => Promise.reject(new LogContradicted('The row'));
    expect(await retriedAtRail(item(1), contradicted)).toEqual(after(60));
    expect(error).toHaveBeenCalledWith(expect.objectContaining({ work: 'work' }), 'work waits for an operator');
    error.mockRestore();
  });

  it('that another rail has begun is retried, and told: of much of it one a second', async () => {
    const error = jest.spyOn(Logger.prototype, 'error').mockReturnValue(undefined);
    const anothers = () => Promise.reject(new OfAnotherRail('D1'));
    expect(await retriedAtRail(item(1), anothers)).toEqual(after(1));
    expect(await retriedAtRail(item(2), anothers)).toEqual(after(2));
    expect(error.mock.calls).toEqual([[expect.objectContaining({ work: 'work' }), 'work waits for an operator']]);
    error.mockRestore();
  });

  it('is retried after a pause where its command is refused for the moment', async () => {
    const overloaded = () => Promise.reject(new ServiceUnavailable('busy', 7));
    expect(await retriedAtRail(item(1), overloaded)).toEqual(after(7));
  });
});
