import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pixVectors } from '../../../../test/support/pix-vectors.js';
import { makeEndToEndId, parseEndToEndId, partitionOfEndToEndId } from './end-to-end-id.js';

const ispb = '12345678';
const parts = {
  prefix: 'E' as const,
  ispb,
  at: new Date('2026-11-20T23:59:59.999Z'),
  partition: 4095,
  random: new Uint8Array(8).fill(0xff),
};
const anyParts = fc.record({
  prefix: fc.constantFrom('E' as const, 'D' as const),
  ispb: fc.string({ unit: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: 8, maxLength: 8 }),
  at: fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  }),
  partition: fc.integer({ min: 0, max: 4095 }),
  random: fc.uint8Array({ minLength: 8, maxLength: 16 }),
});

describe('makeEndToEndId', () => {
  it('makes 32 characters that read back, partition included', () => {
    fc.assert(
      fc.property(anyParts, (given) => {
        const text = makeEndToEndId(given);
        expect(text).toMatch(/^[ED][0-9A-Z]{8}[0-9]{12}[0-9A-Za-z]{11}$/);
        const minute = new Date(Math.floor(given.at.getTime() / 60_000) * 60_000);
        expect(parseEndToEndId(text)).toMatchObject({ prefix: given.prefix, ispb: given.ispb, at: minute });
        expect(partitionOfEndToEndId(text, given.ispb)).toBe(given.partition);
      }),
    );
  });

  it('writes the minute of UTC and the partition in base 36', () => {
    expect(makeEndToEndId({ ...parts, random: new Uint8Array(8) })).toBe('E1234567820261120235935r00000000');
    expect(makeEndToEndId({ ...parts, prefix: 'D', partition: 0 }).slice(0, 24)).toBe('D12345678202611202359000');
  });

  it.each([
    ['ffffffffffffffff', 'Ha16AHYF'],
    ['0123456789abcdef', 'UfDVRKBz'],
  ])('writes the bytes %s, modulo 62^8, as %s', (bytes, written) => {
    expect(makeEndToEndId({ ...parts, random: Buffer.from(bytes, 'hex') }).slice(-8)).toBe(written);
  });

  it('differs wherever eight random bytes differ', () => {
    const eightBytes = fc.uint8Array({ minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(eightBytes, fc.nat(63), (random, bit) => {
        const other = random.slice();
        other[bit >> 3] = (other[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        expect(makeEndToEndId({ ...parts, random: other })).not.toBe(makeEndToEndId({ ...parts, random }));
      }),
    );
  });

  it.each([
    ['an ISPB of seven digits', { ispb: '1234567' }],
    ['an ISPB in lower case', { ispb: 'ab345678' }],
    ['a partition below 0', { partition: -1 }],
    ['a partition above 4095', { partition: 4096 }],
    ['a partition that is not whole', { partition: 1.5 }],
    ['too little randomness', { random: new Uint8Array(7) }],
    ['no time', { at: new Date(Number.NaN) }],
    ['a year of five digits', { at: new Date('+010000-01-01T00:00:00Z') }],
  ])('refuses %s', (_, change) => {
    expect(() => makeEndToEndId({ ...parts, ...change })).toThrow(RangeError);
  });
});

describe('parseEndToEndId', () => {
  it.each(pixVectors.endToEndId.valid)('reads %s', (text) => {
    expect(parseEndToEndId(text)).toEqual({
      prefix: 'E',
      ispb: '12345678',
      at: new Date('2020-09-09T12:21:00Z'),
      sequence: 'abcdef12345',
    });
  });

  it.each(pixVectors.endToEndId.invalid)('refuses %s', (text) => {
    expect(parseEndToEndId(text)).toBeUndefined();
  });

  it.each(['202602301221', '202602291221', '202600101221', '202601001221', '202601012421', '202601011260'])(
    'refuses the minute %s, which does not exist',
    (minute) => {
      expect(parseEndToEndId(`E12345678${minute}abcdef12345`)).toBeUndefined();
    },
  );

  it.each([
    '',
    'e12345678202009091221abcdef12345',
    'X12345678202009091221abcdef12345',
    'E1234567-202009091221abcdef12345',
    'E12345678202009091221abcdef1234-',
    'E12345678202009091221abcdef12345\n',
  ])('refuses %j', (text) => {
    expect(parseEndToEndId(text)).toBeUndefined();
  });

  it.each(['E1234567A202009091221abcdef12345', 'E1234567a202009091221abcdef12345'])(
    'reads %s, the ISPB in capitals and the sequence as it is',
    (text) => expect(parseEndToEndId(text)).toMatchObject({ ispb: '1234567A', sequence: 'abcdef12345' }),
  );

  it('reads 29 February of a leap year', () => {
    expect(parseEndToEndId('D12345678202802292359ABCDEFGHIJK')?.at).toEqual(new Date('2028-02-29T23:59:00Z'));
  });
});

describe('partitionOfEndToEndId', () => {
  it('is not read from the identifier of another institution', () => {
    expect(partitionOfEndToEndId(makeEndToEndId(parts), '87654321')).toBeUndefined();
  });

  it.each(['35s', 'zzz', 'ABC'])(
    'does not exist for %s, which no identifier of ours begins its sequence with',
    (written) => {
      expect(partitionOfEndToEndId(`E12345678202009091221${written}00000000`, ispb)).toBeUndefined();
    },
  );

  it('does not exist for what is no identifier', () => {
    expect(partitionOfEndToEndId('E12345678', ispb)).toBeUndefined();
  });
});
