import { Command } from '@nestjs/cqrs';

/** Refuses an auditor's credential from now on: on every instance within a second. */
export class RevokeAuditor extends Command<void> {
  constructor(
    readonly id: string,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}
