import { Query } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { type Page, UUID } from '../../../platform/http/index.js';
import {
  ACCESS_KEY_STATUSES,
  type AccessKeyStatus,
  type Permission,
  PERMISSIONS,
} from '../../domain/access-key.events.js';

export const ACCESS_KEY_STATUS = { enum: ACCESS_KEY_STATUSES, enumName: 'AccessKeyStatus' };

/** An access key without its secret, of which only a keyed hash exists. */
export class AccessKeyView {
  @ApiProperty(UUID) readonly accessKey: string;
  readonly name: string | null;
  @ApiProperty(ACCESS_KEY_STATUS) readonly status: AccessKeyStatus;
  @ApiProperty({ enum: PERMISSIONS, enumName: 'Permission', isArray: true })
  readonly permissions: readonly Permission[];
  readonly expiresAt: Date | null;
  /** CIDR networks; `null` allows every address */
  @ApiProperty({ type: [String] }) readonly allowedIps: readonly string[] | null;
  readonly issuedAt: Date;
}

/** Access keys of an account, oldest first. */
export class ListAccessKeys extends Query<Page<AccessKeyView>> {
  constructor(
    readonly accountUid: string,
    readonly limit: number,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}
