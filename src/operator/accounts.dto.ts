import { isIP } from 'node:net';
import { type Permission, PERMISSIONS } from '../auth/index.js';
import { amountAboveZero, type Check, isoDate, Optional, Required, text } from '../platform/http/index.js';

const REASON = text({ minimum: 1, maximum: 140 });

export class ReasonDto {
  @Required({ example: 'Requested by the partner' }, REASON)
  reason: string;
}

export class CreditDto {
  @Required({ example: '1000.00' }, amountAboveZero('AmountMustBeGreaterThanZero'))
  amount: string;

  @Required({ example: 'Initial funding' }, REASON)
  reason: string;
}

const permissions: Check = (value) =>
  Array.isArray(value) &&
  value.length <= PERMISSIONS.length &&
  value.every((one) => PERMISSIONS.includes(one as Permission))
    ? undefined
    : {
        code: 'NotAllowed',
        message: `must be a list of ${PERMISSIONS.join(', ')}`,
        info: { allowedValues: [...PERMISSIONS] },
      };

const networks: Check = (value) =>
  Array.isArray(value) && value.length > 0 && value.length <= 100 && value.every(isNetwork)
    ? undefined
    : { code: 'InvalidFormat', message: 'must be a list of 1 to 100 addresses or networks (CIDR)' };

function isNetwork(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const [address = '', prefix, more] = value.split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

export class AccessKeyDto {
  @Optional({ example: 'Checkout' }, text({ maximum: 140 }))
  name?: string;

  @Optional(
    { example: [...PERMISSIONS], description: 'All of them when absent', type: String, isArray: true },
    permissions,
  )
  permissions?: Permission[];

  @Optional({ example: '2027-12-31T23:59:59Z' }, isoDate)
  expiresAt?: string;

  @Optional({ example: ['203.0.113.0/24'], type: String, isArray: true }, networks)
  allowedIps?: string[];
}

/** Addresses as networks of one. */
export function toNetworks(addresses: readonly string[]): string[] {
  return addresses.map((one) => (one.includes('/') ? one : `${one}/${isIP(one) === 4 ? 32 : 128}`));
}
