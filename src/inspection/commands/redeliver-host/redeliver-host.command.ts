import { Command } from '@nestjs/cqrs';
import { ApiProperty } from '@nestjs/swagger';
import { WHOLE } from '../../../platform/http/index.js';

export class RedeliveredHost {
  @ApiProperty(WHOLE) readonly queued: number;
  /** Whether some are left, or may be where a partition did not answer: repeat the request */
  readonly more: boolean;
}

/** Requests redelivery of the failed deliveries to a host. @returns how many, and whether there are more */
export class RedeliverHost extends Command<RedeliveredHost> {
  constructor(
    readonly host: string,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}
