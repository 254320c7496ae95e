import { describe, expect, it } from '@jest/globals';
import { keyMisfitOf } from './key-fit.js';

const account = { ispb: '60701190', branch: '0001', number: '123456', digit: '7', type: 'CheckingsAccount' as const };
const recipient = { name: 'Maria', taxNumber: '52998224725' };

describe('the owner of a key', () => {
  it('must exist', () => {
    expect(keyMisfitOf(recipient, { found: false })).toBe('KeyNotFound');
  });

  it('must be the person whom the partner named', () => {
    expect(keyMisfitOf(recipient, { found: true, owner: { taxNumber: '11144477735' } })).toBe(
      'KeyBelongsToAnotherPerson',
    );
    expect(keyMisfitOf(recipient, { found: true, owner: { taxNumber: '52998224725' } })).toBeUndefined();
  });

  it('must have the account that the partner named, however it is padded', () => {
    const named = { ...recipient, account };
    expect(keyMisfitOf(named, { found: true, owner: { ...account, number: '0123456' } })).toBeUndefined();
    expect(keyMisfitOf(named, { found: true, owner: { ...account, digit: '8' } })).toBe('KeyBelongsToAnotherAccount');
    expect(keyMisfitOf(named, { found: true, owner: { ...account, ispb: '00000000' } })).toBe(
      'KeyBelongsToAnotherAccount',
    );
  });

  it('is not compared with what DICT does not give', () => {
    expect(keyMisfitOf({ ...recipient, account }, { found: true, owner: {} })).toBeUndefined();
    expect(keyMisfitOf(recipient, { found: true, owner: account })).toBeUndefined();
  });
});
