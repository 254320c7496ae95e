import { describe, expect, it } from '@jest/globals';
import { pack, unpack } from './wire.js';

describe('messages between processes', () => {
  it('decode to what was encoded', () => {
    const entries = [
      ['0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e', 12],
      ['2001:db8:1:2', 1],
      ['f/aB-_9/xyz', 3],
    ] as const;
    const packed = pack(1_000, (add) => entries.forEach(([key, number]) => add(key, number)));
    expect(unpack(packed!)).toEqual(entries);
  });

  it.each(['', 'k', '=1', 'k=', 'k=-1', 'k=1.5', 'k=1e3', 'k=NaN', 'k=Infinity', 'k=0x10', 'k=99999999', '{"k":1}'])(
    'have no entry in %j, and those beside it',
    (odd) =>
      expect(unpack(`a=1 ${odd} b=2`)).toEqual([
        ['a', 1],
        ['b', 2],
      ]),
  );

  it('are absent without entries', () => {
    expect(pack(1_000, () => undefined)).toBeUndefined();
  });

  it('hold as many entries as fit, and tell which did not', () => {
    let added = 0;
    const packed = pack(100, (add) => {
      while (add('key', added)) added += 1;
    });
    expect(packed!.length).toBeLessThanOrEqual(100);
    expect(unpack(packed!)).toHaveLength(added);
  });
});
