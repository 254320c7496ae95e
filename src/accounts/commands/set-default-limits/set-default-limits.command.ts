import { Command } from '@nestjs/cqrs';
import type { AskedLimits } from '../../domain/limit-terms.js';

/** Limits of payouts for those of a partner's accounts that have none of their own. */
export class SetDefaultLimits extends Command<void> {
  constructor(
    readonly partnerUid: string,
    /** Those that are absent stay as they are. */
    readonly asked: AskedLimits,
    readonly actor: string,
    readonly requestId?: string,
  ) {
    super();
  }
}
