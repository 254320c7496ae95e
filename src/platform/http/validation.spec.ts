import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { text } from './checks.js';
import { OptionalObjects, Required } from './fields.js';
import { validate } from './validation.js';

class NameDto {
  @Required({}, text({ maximum: 10 }))
  name: string;
}

class NamesDto {
  @OptionalObjects(() => NameDto, 3)
  names?: NameDto[];
}

describe('a list of objects', () => {
  it.each([[[[]]], [[[{ name: 'a' }]]], [[{ name: 'a' }, []]], [[null]], [['a']], [[{}]]])(
    'is none with %j',
    (names) => {
      expect(() => validate(NamesDto, { names })).toThrow('The request is not valid.');
    },
  );

  it('is one with what it asks for', () => {
    expect(validate(NamesDto, { names: [{ name: 'a' }] })).toEqual({ names: [{ name: 'a' }] });
  });
});

describe('prototypes', () => {
  it('are not changed by a body, whatever parsed it', () => {
    const body = JSON.parse(
      '{"name":"a","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    ) as object;
    expect(Object.keys(validate(NameDto, body))).toEqual(['name']);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('a member named constructor', () => {
  it.each([[{}], [{ name: 'Object' }], [null], [1], ['Array'], [[]]])(
    '(%j) is ignored like any unknown one',
    (constructor) => {
      expect(validate(NameDto, { name: 'a', constructor })).toEqual({ name: 'a' });
    },
  );

  it('inside of a member does not hide that the member is wrong', () => {
    expect(() => validate(NameDto, { name: { constructor: {} } })).toThrow('The request is not valid.');
  });
});
