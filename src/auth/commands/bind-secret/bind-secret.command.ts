import { Command } from '@nestjs/cqrs';

/** Binds the stored hash of an older key to that key, at its first login. */
export class BindSecret extends Command<void> {
  constructor(
    readonly accessKey: string,
    readonly secret: string,
  ) {
    super();
  }
}
