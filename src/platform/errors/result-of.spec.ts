import { describe, expect, it } from '@jest/globals';
import { EntityNotFound, OutcomeUnknown, Overloaded, ServiceUnavailable } from './errors.js';
import { resultOf } from './result-of.js';

describe('the result of what was carried out', () => {
  it('is what is read', async () => {
    expect(await resultOf(Promise.resolve(7))).toBe(7);
  });

  it.each([new ServiceUnavailable('The database is not available.'), new Overloaded('Too many requests are waiting.')])(
    'that cannot be read is not told as nothing done: %s',
    async (unavailable) => {
      const failure = await resultOf(Promise.reject(unavailable)).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(OutcomeUnknown);
      expect(failure).toMatchObject({ status: 503, retryAfterSeconds: 2, cause: unavailable });
      expect((failure as Error).message).toContain('was carried out');
    },
  );

  it('fails as its read does, for any other reason', async () => {
    const missing = new EntityNotFound('TransactionEntity', 'id', 'x');
    await expect(resultOf(Promise.reject(missing))).rejects.toBe(missing);
  });
});
