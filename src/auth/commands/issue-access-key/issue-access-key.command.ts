import { Command } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { UUID } from '../../../platform/http/index.js';
import type { Permission } from '../../domain/access-key.events.js';

export class IssuedAccessKey {
  @ApiProperty(UUID) readonly accessKey: string;
  /** Shown this once; only its keyed hash is stored. */
  readonly secret: string;
}

export class IssueAccessKey extends Command<IssuedAccessKey> {
  constructor(
    readonly account: { readonly uid: string; readonly partnerUid: string },
    readonly details: {
      readonly name?: string;
      readonly permissions?: readonly Permission[];
      readonly expiresAt?: Date;
      readonly allowedIps?: readonly string[];
    },
    readonly actor: string,
    readonly requestId?: string,
  ) {
    super();
  }
}
