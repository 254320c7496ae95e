import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { brCodeFaultOf as faultOf } from '../../../../test/support/br-code-fault.js';
import { BrCodeFault } from './br-code-error.js';
import { encodeField, parseFields } from './emv-tlv.js';

const id = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, '0'));
const value = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((text) => Array.from(text).length <= 99);

describe('EMV fields', () => {
  it('read as they were written, in order and in any script', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(id, value), { selector: ([key]) => key }), (fields) => {
        const text = fields.map(([key, content]) => encodeField(key, content)).join('');
        expect([...parseFields(text)]).toEqual(fields);
      }),
    );
  });

  it('count characters', () => {
    expect(encodeField('59', 'São')).toBe('5903São');
    expect(parseFields('5903São6001X').get('60')).toBe('X');
  });

  it('have 1 to 99 characters', () => {
    expect(encodeField('26', 'a'.repeat(99))).toBe(`2699${'a'.repeat(99)}`);
    expect(faultOf(() => encodeField('26', 'a'.repeat(100)))).toBe(BrCodeFault.Length);
    expect(faultOf(() => encodeField('26', ''))).toBe(BrCodeFault.Length);
    expect(faultOf(() => encodeField('6', 'a'))).toBe(BrCodeFault.Length);
  });

  it.each(['0', '000', '0002', '00020', '0003ab', '0000', '000a1', 'ab011', '0001a0', '00 1a', '00+1a'])(
    'cannot be read from %j',
    (text) => {
      expect(faultOf(() => parseFields(text))).toBe(BrCodeFault.Length);
    },
  );

  it('occur once at a level', () => {
    expect(faultOf(() => parseFields('0001a0101b0001a'))).toBe(BrCodeFault.Duplicate);
  });

  it('of an empty text are none', () => {
    expect(parseFields('').size).toBe(0);
  });
});
