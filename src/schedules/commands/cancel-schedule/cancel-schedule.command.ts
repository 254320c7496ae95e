import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';
import { Homed } from '../../../platform/workers/index.js';

/** The partner ends a schedule of the account of the context, and cancels its runs that wait. */
@Homed<CancelSchedule>(({ caller }) => caller.partition)
export class CancelSchedule extends Command<void> {
  constructor(
    readonly caller: Principal,
    readonly id: string,
    readonly requestId: string,
  ) {
    super();
  }
}
