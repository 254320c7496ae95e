import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';
import { Homed } from '../../../platform/workers/index.js';

/** The partner cancels a scheduled transfer of the account of the context. */
@Homed<CancelTransfer>(({ caller }) => caller.partition)
export class CancelTransfer extends Command<void> {
  constructor(
    readonly caller: Principal,
    readonly id: string,
    readonly requestId: string,
  ) {
    super();
  }
}
