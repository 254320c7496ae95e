import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_PARTITIONS, newId, partitionOf, uuidOf } from './identifiers.js';

describe('an identifier', () => {
  it('is a UUIDv7 that carries its partition and its time', () => {
    fc.assert(
      fc.property(fc.nat(MAX_PARTITIONS - 1), fc.integer({ min: 0, max: 2 ** 45 }), (partition, at) => {
        const id = newId(partition, at);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(partitionOf(id)).toBe(partition);
        expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(at);
      }),
    );
  });

  it('is never given twice', () => {
    const ids = Array.from({ length: 50_000 }, () => newId(1, 0));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(['', 'x', '00000000-0000-4000-8000-000000000000', '0199D1F0-7C3B-7001-9A4E-3F1D2B5C6A7E'])(
    'that is not one of ours (%j) has no partition',
    (text) => expect(partitionOf(text)).toBeUndefined(),
  );
});

describe('the identifier of a text', () => {
  it.each([
    ['PaymentOut/E1', 'e350411f-aa9f-8fa6-8259-7238fab6f4d2'],
    ['p\nhttps://a.example', '97be9c83-3d78-8f04-8622-2e3a1d992d48'],
    ['', 'e3b0c442-98fc-8c14-8afb-f4c8996fb924'],
  ])('of %j is the one that is stored', (text, id) => {
    expect(uuidOf(text)).toBe(id);
    expect(partitionOf(id)).toBeUndefined();
  });
});
