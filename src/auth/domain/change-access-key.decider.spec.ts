import { expect, it } from '@jest/globals';
import { EntityNotFound, OperationError } from '../../platform/errors/index.js';
import { type AccessKey, hasExpired } from './access-key.js';
import type { AccessKeyStatus } from './access-key.events.js';
import { decideAccessKeyChange } from './change-access-key.decider.js';

const key = (status: AccessKeyStatus) => ({ id: 'k', status, version: 3 }) as AccessKey;
const decide = (status: AccessKeyStatus, change: 'disable' | 'enable' | 'revoke') =>
  decideAccessKeyChange(key(status), 'k', change);

it.each([
  ['Active', 'disable', 'AccessKeyDisabled'],
  ['Disabled', 'enable', 'AccessKeyEnabled'],
  ['Active', 'revoke', 'AccessKeyRevoked'],
  ['Disabled', 'revoke', 'AccessKeyRevoked'],
] as const)('a key that is %s: %s is %s', (status, change, type) => {
  expect(decide(status, change)).toMatchObject([{ stream: 'access-key-k', version: 4, type, data: { id: 'k' } }]);
});

it.each([
  ['Active', 'enable'],
  ['Disabled', 'disable'],
  ['Revoked', 'revoke'],
] as const)('a key that is %s: %s changes nothing', (status, change) => {
  expect(decide(status, change)).toEqual([]);
});

it('a revoked key stays revoked, and one that was never issued is not found', () => {
  for (const change of ['enable', 'disable'] as const) expect(() => decide('Revoked', change)).toThrow(OperationError);
  expect(() => decideAccessKeyChange(undefined, 'k', 'revoke')).toThrow(EntityNotFound);
});

it.each([
  [null, false],
  ['2026-11-20T12:00:00.001Z', false],
  ['2026-11-20T12:00:00.000Z', true],
  ['2026-11-20T11:59:59.999Z', true],
])('a key that is valid until %j has expired at noon: %p', (until, expired) => {
  const at = new Date('2026-11-20T12:00:00.000Z');
  expect(hasExpired({ ...key('Active'), expiresAt: until === null ? null : new Date(until) }, at)).toBe(expired);
});
