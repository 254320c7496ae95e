import { Command } from '@nestjs/cqrs';
import type { AskedAmounts } from '../../domain/limit-terms.js';

export class ChangeContact extends Command<void> {
  constructor(
    readonly accountUid: string,
    readonly id: string,
    /** Those that are absent stay as they are. */
    readonly asked: AskedAmounts,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}
