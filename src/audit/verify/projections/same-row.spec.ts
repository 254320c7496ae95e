import { describe, expect, it } from '@jest/globals';
import { differingField } from './same-row.js';

const row = {
  uid: 'a',
  available: 5n,
  at: new Date(1),
  seal: Buffer.from('a'),
  details: { list: [1, { b: null }] },
  none: null,
};

describe('rows', () => {
  it('are the same with the same members, however deep, `undefined` being none', () => {
    const same = {
      ...row,
      at: new Date(1),
      seal: Buffer.from('a'),
      details: { list: [1, { b: null, c: undefined }] },
      more: undefined,
    };
    expect(differingField(row, same)).toBeUndefined();
    expect(differingField(same, row)).toBeUndefined();
  });

  it.each([
    ['available', { available: 6n }],
    ['at', { at: new Date(2) }],
    ['at', { at: null }],
    ['at', { at: {} }],
    ['at', { at: 1 }],
    ['at', { at: Buffer.alloc(0) }],
    ['seal', { seal: Buffer.from('b') }],
    ['seal', { seal: Buffer.from('ab') }],
    ['seal', { seal: [97] }],
    ['seal', { seal: { 0: 97 } }],
    ['seal', { seal: null }],
    ['details', { details: null }],
    ['details', { details: [] }],
    ['details', { details: { list: [1, { b: 0 }] } }],
    ['details', { details: { list: { 0: 1, 1: { b: null } } } }],
    ['details', { details: { list: [1, { b: null }, 2] } }],
    ['none', { none: 'x' }],
    ['more', { more: 1 }],
  ])('differ in %s', (member, change) => {
    expect(differingField(row, { ...row, ...change })).toBe(member);
    expect(differingField({ ...row, ...change }, row)).toBe(member);
  });

  it('differ as a whole when one is not there', () => {
    expect(differingField(row, undefined)).toBe('row');
    expect(differingField(undefined, row)).toBe('row');
  });
});
