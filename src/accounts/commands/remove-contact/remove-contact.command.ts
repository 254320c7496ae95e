import { Command } from '@nestjs/cqrs';

export class RemoveContact extends Command<void> {
  constructor(
    readonly accountUid: string,
    readonly id: string,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}
