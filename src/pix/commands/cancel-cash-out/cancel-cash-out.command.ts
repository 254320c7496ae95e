import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';
import { Homed } from '../../../platform/workers/index.js';

/** The partner cancels a scheduled payout of the account of the context. */
@Homed<CancelCashOut>(({ caller }) => caller.partition)
export class CancelCashOut extends Command<void> {
  constructor(
    readonly caller: Principal,
    readonly id: string,
    readonly requestId: string,
  ) {
    super();
  }
}
