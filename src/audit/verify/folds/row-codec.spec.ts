import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeRow, encodeRow } from './row-codec.js';

describe('rows in temporary files', () => {
  it('come back as they were, with their dates, whole numbers and bytes', () => {
    const value = fc
      .anything({ withBigInt: true, withDate: true, key: fc.constantFrom('a', 'b', '\x7f') })
      .filter(isRow);
    fc.assert(fc.property(value, (row) => expect(decodeRow(encodeRow(row))).toEqual(row)));
    const row = {
      uid: 'x',
      available: -5n,
      openedAt: new Date(7),
      key: Buffer.from('ab'),
      nested: { at: [new Date(1), '\x7fn1', '\x7f', ''] },
    };
    expect(decodeRow(encodeRow(row))).toEqual(row);
  });
});

/** Values that rows may have: no sparse arrays, no invalid dates, no numbers that JSON does not have. */
function isRow(value: unknown): boolean {
  if (value === undefined || Object.is(value, -0)) return false;
  if (typeof value === 'number') return Number.isFinite(value);
  if (value instanceof Date) return !Number.isNaN(value.getTime());
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isRow) && Object.getPrototypeOf(value) !== null;
}
