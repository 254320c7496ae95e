import { expect, it } from '@jest/globals';
import type { RegistryTail } from './registry-tail.js';
import { RegistryCache } from './registry-cache.js';

it('gives up the entries that were asked for longest ago, one by one', async () => {
  const loads: string[] = [];
  const never = () => undefined;
  const tail = { isFresh: true, hasFollowed: () => true, onEvent: never, onReset: never } as unknown as RegistryTail;
  const cache = new RegistryCache<string>(tail, {
    staleBy: () => undefined,
    logged: async (key) => {
      loads.push(key);
      return { state: key, upTo: 1n };
    },
    copied: async () => undefined,
  });
  await cache.get('hot');
  for (let i = 0; i < 120_000; i++) {
    await cache.get(`cold-${i}`);
    if (i % 1_000 === 0) await cache.get('hot');
  }
  expect(loads.filter((key) => key === 'hot')).toHaveLength(1);
  await cache.get('cold-119000');
  await cache.get('cold-0');
  expect(loads.slice(120_001)).toEqual(['cold-0']);
});
