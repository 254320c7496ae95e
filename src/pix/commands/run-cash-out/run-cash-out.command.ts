import { Command } from '@nestjs/cqrs';
import type { Transaction } from '../../../accounts/index.js';
import type { WorkItem, WorkResult } from '../../../event-store/index.js';

/** The time of a scheduled payout has come. */
export class RunCashOut extends Command<WorkResult> {
  constructor(
    /** As the log has it. */
    readonly cashOut: Transaction,
    readonly work: Pick<WorkItem, 'partition' | 'attempts'>,
  ) {
    super();
  }
}
