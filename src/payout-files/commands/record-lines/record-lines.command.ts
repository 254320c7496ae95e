import { Command } from '@nestjs/cqrs';
import type { HeldLease } from '../../../event-store/index.js';
import type { RanLines } from '../../domain/payout-file.decider.js';
import type { PayoutFile } from '../../domain/payout-file.js';

/** Records what became of the next lines of a file; without any, that a cancelled file has ended. */
export class RecordLines extends Command<void> {
  constructor(
    /** As its events make it. Where others came since, nothing is recorded. */
    readonly file: PayoutFile,
    readonly ran: readonly RanLines[] | undefined,
    /** Nothing behind these lines may be registered, if the file is cancelled. */
    readonly endsCancelled = false,
    /** Under which the lines were requested. */
    readonly lease?: HeldLease,
  ) {
    super();
  }
}
