import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';

/** The partner cancels an unpaid cash-in. */
export class CancelCashIn extends Command<void> {
  constructor(
    readonly caller: Principal,
    readonly id: string,
    readonly requestId: string,
  ) {
    super();
  }
}
