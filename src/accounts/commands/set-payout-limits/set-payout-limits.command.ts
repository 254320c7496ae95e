import { Command } from '@nestjs/cqrs';
import type { AskedLimits } from '../../domain/limit-terms.js';

export class SetPayoutLimits extends Command<void> {
  constructor(
    readonly uid: string,
    /** Those that are absent stay as they are. */
    readonly asked: AskedLimits,
    readonly actor: string,
    readonly requestId: string,
  ) {
    super();
  }
}
