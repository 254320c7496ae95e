import { Command } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { UUID } from '../../../platform/http/index.js';

export class RegisteredAuditor {
  @ApiProperty(UUID) readonly id: string;
  readonly name: string;
  @ApiProperty(UUID) readonly partnerUid: string | null;
  /** Shown this once */
  readonly token: string;
}

/** Registers an auditor, with a new credential. */
export class RegisterAuditor extends Command<RegisteredAuditor> {
  constructor(
    /** A label, not a person. */
    readonly name: string,
    /** The one partner that it may see; `null` for all. */
    readonly partnerUid: string | null,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}
