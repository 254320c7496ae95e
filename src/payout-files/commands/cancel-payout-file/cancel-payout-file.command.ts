import { Command } from '@nestjs/cqrs';

/** Nothing more of a file is registered. */
export class CancelPayoutFile extends Command<void> {
  constructor(
    readonly id: string,
    /** Whose file it must be; absent: anybody's. */
    readonly accountUid: string | undefined,
    readonly actor: string,
    readonly requestId?: string,
  ) {
    super();
  }
}
