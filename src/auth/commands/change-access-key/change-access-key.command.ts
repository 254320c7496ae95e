import { Command } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { UUID } from '../../../platform/http/index.js';
import type { AccessKeyStatus } from '../../domain/access-key.events.js';
import { ACCESS_KEY_STATUS } from '../../queries/access-keys/access-keys.query.js';

/** A key's new status. */
export class ChangedAccessKey {
  @ApiProperty(UUID) readonly accessKey: string;
  @ApiProperty(ACCESS_KEY_STATUS) readonly status: AccessKeyStatus;
}

export type AccessKeyChange = 'disable' | 'enable' | 'revoke';

export class ChangeAccessKey extends Command<void> {
  constructor(
    readonly accessKey: string,
    readonly change: AccessKeyChange,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}
