import { Command } from '@nestjs/cqrs';

/** A log-in with a key whose stored hash is of the form that fits any key: it is made this key's alone. */
export class BindSecret extends Command<void> {
  constructor(
    readonly accessKey: string,
    readonly secret: string,
    readonly requestId?: string,
  ) {
    super();
  }
}
