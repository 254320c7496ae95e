import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';
import { Homed } from '../../../platform/workers/index.js';

/** The partner cancels an unpaid cash-in. */
@Homed<CancelCashIn>(({ caller }) => caller.partition)
export class CancelCashIn extends Command<void> {
  constructor(
    readonly caller: Principal,
    readonly id: string,
    readonly requestId: string,
  ) {
    super();
  }
}
