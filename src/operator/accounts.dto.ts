import { isIP } from 'node:net';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsOptional } from 'class-validator';
import { type Permission, PERMISSIONS } from '../auth/index.js';
import { IsAmountAboveZero, IsIsoDate, IsText, rule, stacked, told } from '../platform/http/index.js';

const IsReason = () => IsText({ minimum: 1, maximum: 140 });

export class ReasonDto {
  @ApiProperty({ example: 'Requested by the partner' })
  @IsReason()
  reason: string;
}

export class CreditDto {
  @ApiProperty({ example: '1000.00' })
  @IsAmountAboveZero('AmountMustBeGreaterThanZero')
  amount: string;

  @ApiProperty({ example: 'Initial funding' })
  @IsReason()
  reason: string;
}

function IsPermissions(): PropertyDecorator {
  const message = `must be a list of ${PERMISSIONS.join(', ')}`;
  const options = told({ code: 'NotAllowed', message, info: { allowedValues: [...PERMISSIONS] } });
  return stacked(
    IsArray(options),
    ArrayMaxSize(PERMISSIONS.length, options),
    IsIn(PERMISSIONS, { ...options, each: true }),
  );
}

function IsNetworks(): PropertyDecorator {
  return rule('isNetworks', (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= 100 && value.every(isNetwork)
      ? undefined
      : { code: 'InvalidFormat', message: 'must be a list of 1 to 100 addresses or networks (CIDR)' },
  );
}

function isNetwork(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const [address = '', prefix, more] = value.split('/');
  const family = isIP(address);
  if (family === 0 || more !== undefined) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128));
}

export class AccessKeyDto {
  @ApiProperty({ example: 'Checkout' })
  @IsOptional()
  @IsText({ maximum: 140 })
  name?: string;

  /** All of them when absent */
  @ApiProperty({ enum: PERMISSIONS, isArray: true, example: [...PERMISSIONS] })
  @IsOptional()
  @IsPermissions()
  permissions?: Permission[];

  @ApiProperty({ example: '2027-12-31T23:59:59Z' })
  @IsOptional()
  @IsIsoDate()
  expiresAt?: string;

  @ApiProperty({ example: ['203.0.113.0/24'] })
  @IsOptional()
  @IsNetworks()
  allowedIps?: string[];
}

/** Addresses as networks of one. */
export function toNetworks(addresses: readonly string[]): string[] {
  return addresses.map((one) => (one.includes('/') ? one : `${one}/${isIP(one) === 4 ? 32 : 128}`));
}
