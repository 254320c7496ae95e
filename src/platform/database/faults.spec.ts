import { describe, expect, it } from '@jest/globals';
import { DatabaseError } from 'pg';
import { classifyFault, isConnectionFault } from './faults.js';

const faultOf = (code: string) => Object.assign(new DatabaseError('', 0, 'error'), { code });

describe('a fault of the database', () => {
  it.each([
    ['25006', 'takes no writes'],
    ['28000', 'lets nobody of this address in'],
    ['28P01', 'does not know the password'],
    ['3D000', 'has no such database'],
  ])('%s, of a server that %s, is transient, and nothing was done', (code) => {
    expect(classifyFault(faultOf(code))).toBe('transient');
    expect(isConnectionFault(faultOf(code))).toBe(false);
  });

  it.each([
    ['42703', 'defect'],
    ['25001', 'defect'],
    ['23505', 'data'],
    ['22003', 'data'],
    ['57P03', 'transient'],
  ])('%s is %s', (code, kind) => {
    expect(classifyFault(faultOf(code))).toBe(kind);
  });

  it('XX000 is transient where the server has begun no session', () => {
    expect(classifyFault(Object.assign(faultOf('XX000'), { severity: 'ERROR' }))).toBe('data');
    expect(classifyFault(Object.assign(faultOf('XX000'), { severity: 'FATAL' }))).toBe('transient');
  });
});
