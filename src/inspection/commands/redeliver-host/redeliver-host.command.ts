import { Command } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { WHOLE } from '../../../platform/http/index.js';

export class RedeliveredHost {
  @ApiProperty(WHOLE) readonly queued: number;
  /** Ask again for the rest */
  readonly more: boolean;
}

/** Asks again for what was given up of a host. @returns how many, and whether there are more */
export class RedeliverHost extends Command<RedeliveredHost> {
  constructor(
    readonly host: string,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}
