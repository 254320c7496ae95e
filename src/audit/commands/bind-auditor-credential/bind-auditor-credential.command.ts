import { Command } from '@nestjs/cqrs';

/** Binds the stored hash of an older credential to its auditor, at its first use. */
export class BindAuditorCredential extends Command<void> {
  constructor(
    readonly id: string,
    readonly secret: string,
  ) {
    super();
  }
}
