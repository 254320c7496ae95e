import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partitionOfTxid, txidOf, uuidOfTxid } from './txid.js';

const uuid = '0199b1c2-d3e4-7abc-9def-0123456789ab';

describe('txid', () => {
  it('is the UUIDv7 without hyphens, and carries its partition', () => {
    expect(txidOf(uuid)).toBe('0199b1c2d3e47abc9def0123456789ab');
    expect(partitionOfTxid(txidOf(uuid))).toBe(0xabc);
  });

  it('goes back to the UUID, and is one that the rail takes', () => {
    fc.assert(
      fc.property(fc.uuid({ version: 7 }), (value) => {
        const txid = txidOf(value);
        expect(txid).toMatch(/^[0-9A-Za-z]{26,35}$/);
        expect(uuidOfTxid(txid)).toBe(value);
        expect(partitionOfTxid(txid)).toBe(Number.parseInt(value.slice(15, 18), 16));
      }),
    );
  });

  it.each(['', 'not a uuid', uuid.toUpperCase(), '123e4567-e12b-12d1-a456-426655440000'])(
    'is not made of %j',
    (value) => {
      expect(() => txidOf(value)).toThrow(RangeError);
    },
  );

  it.each([
    '',
    '***',
    '0199b1c2d3e44abc9def0123456789ab',
    '0199b1c2d3e47abc7def0123456789ab',
    '0199B1C2D3E47ABC9DEF0123456789AB',
    uuid,
    'a'.repeat(32),
  ])('of another maker, %j, has neither UUID nor partition', (txid) => {
    expect(uuidOfTxid(txid)).toBeUndefined();
    expect(partitionOfTxid(txid)).toBeUndefined();
  });
});
