import { Command } from '@nestjs/cqrs';

/** Releases what a hold still blocks once its time is over. Safe to repeat. */
export class ExpireHold extends Command<void> {
  constructor(
    readonly accountUid: string,
    readonly id: string,
  ) {
    super();
  }
}
