import { describe, expect, it } from '@jest/globals';
import { answer } from './client.js';

const fetched = (data: unknown, status = 200) =>
  answer(Promise.resolve({ data: data as { data: unknown }, response: new Response(null, { status }) }));

describe('a success', () => {
  it('gives its data', async () => {
    await expect(fetched({ statusCode: 'Done', data: { uid: '1' } })).resolves.toEqual({ uid: '1' });
  });

  it.each([{}, { ok: true }, { statusCode: 'Done' }, null, undefined])(
    'without data, such as %j of a proxy, says nothing about what was asked for',
    async (body) => {
      await expect(fetched(body)).rejects.toMatchObject({ status: 200, isOutcomeUnknown: true });
    },
  );
});
