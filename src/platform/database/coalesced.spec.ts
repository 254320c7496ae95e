import { describe, expect, it } from '@jest/globals';
import { Coalesced } from './coalesced.js';

function gate() {
  const batches: number[][] = [];
  const opens: (() => void)[] = [];
  const coalesced = new Coalesced<number, number>(async (items) => {
    batches.push([...items]);
    await new Promise<void>((open) => opens.push(open));
    if (items.includes(13)) throw new Error('unlucky');
    return items.map((item) => item * 2);
  });
  return { coalesced, batches, open: () => opens.shift()!() };
}

describe('coalesced calls', () => {
  it('sends a lone item at once, and what arrives meanwhile together', async () => {
    const { coalesced, batches, open } = gate();
    const first = coalesced.run(1);
    expect(batches).toEqual([[1]]);
    const others = [coalesced.run(2), coalesced.run(3)];
    expect(batches).toEqual([[1]]);
    open();
    await expect(first).resolves.toBe(2);
    expect(batches).toEqual([[1], [2, 3]]);
    open();
    await expect(Promise.all(others)).resolves.toEqual([4, 6]);
  });

  it('rejects all items of a batch that fails, and goes on', async () => {
    const { coalesced, open } = gate();
    const first = coalesced.run(1);
    const failing = [coalesced.run(13), coalesced.run(4)].map((one) => expect(one).rejects.toThrow('unlucky'));
    open();
    await first;
    const later = coalesced.run(5);
    open();
    await Promise.all(failing);
    open();
    await expect(later).resolves.toBe(10);
  });

  it('bounds a batch', async () => {
    const { coalesced, batches, open } = gate();
    const all = [coalesced.run(0), ...Array.from({ length: 501 }, (_, i) => coalesced.run(1000 + i))];
    open();
    await all[0];
    open();
    await all[500];
    open();
    await Promise.all(all);
    expect(batches.map((batch) => batch.length)).toEqual([1, 500, 1]);
  });
});
