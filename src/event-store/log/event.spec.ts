import { describe, expect, it } from '@jest/globals';
import { defineEvent, upcast } from './event.js';

defineEvent<{ name: string; country: string }>()('SpecRenamed', 'For this spec.', {
  schemaVersion: 3,
  upcasters: {
    1: (data: { first: string; last: string }) => ({ name: `${data.first} ${data.last}` }),
    2: (data: { name: string }) => ({ ...data, country: 'BR' }),
  },
});

describe('an event of an earlier schema version', () => {
  it('is read as the current one, through every version between', () => {
    expect(upcast('SpecRenamed', 1, { first: 'Ana', last: 'Lima' })).toEqual({ name: 'Ana Lima', country: 'BR' });
    expect(upcast('SpecRenamed', 2, { name: 'Ana Lima' })).toEqual({ name: 'Ana Lima', country: 'BR' });
    expect(upcast('SpecRenamed', 3, { name: 'Ana Lima', country: 'PT' })).toEqual({ name: 'Ana Lima', country: 'PT' });
  });

  it('of a newer version, or of an unknown type, is refused rather than misread', () => {
    expect(() => upcast('SpecRenamed', 4, {})).toThrow('schema version 4');
    expect(() => upcast('NeverDeclared', 1, {})).toThrow('NeverDeclared');
  });

  it('cannot be declared without its upcasters, nor twice', () => {
    expect(() => defineEvent()('SpecIncomplete', '', { schemaVersion: 2 })).toThrow(
      'no upcaster from schema version 1',
    );
    expect(() => defineEvent()('SpecRenamed', '')).toThrow('declared twice');
  });
});
