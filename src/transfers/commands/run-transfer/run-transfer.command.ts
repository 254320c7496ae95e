import { Command } from '@nestjs/cqrs';
import type { Transaction } from '../../../accounts/index.js';
import type { WorkItem, WorkResult } from '../../../event-store/index.js';

/** The time of a scheduled transfer has come. */
export class RunTransfer extends Command<WorkResult> {
  constructor(
    /** As the log has it. */
    readonly transfer: Transaction,
    readonly work: Pick<WorkItem, 'partition' | 'attempts'>,
  ) {
    super();
  }
}
