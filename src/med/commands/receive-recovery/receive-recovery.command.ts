import { Command } from '@nestjs/cqrs';
import type { RecoveryOutcome } from '../../../pix/index.js';
import type { LocatedRecovery } from '../../recoveries.js';

/** Records what the rail says of a recovery. */
export class ReceiveRecovery extends Command<void> {
  constructor(
    readonly known: LocatedRecovery,
    readonly outcome: RecoveryOutcome,
  ) {
    super();
  }
}
