import { Command } from '@nestjs/cqrs';

/** A request with a credential whose stored hash is of the form that fits any auditor: it is made this auditor's alone. */
export class BindAuditorCredential extends Command<void> {
  constructor(
    readonly id: string,
    readonly secret: string,
  ) {
    super();
  }
}
