import { Command } from '@nestjs/cqrs';

/** Revokes an auditor's credential; every instance refuses it within a second. */
export class RevokeAuditor extends Command<void> {
  constructor(
    readonly id: string,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}
