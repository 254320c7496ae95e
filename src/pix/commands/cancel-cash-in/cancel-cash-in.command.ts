import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';

/** The partner takes an unpaid cash-in back. */
export class CancelCashIn extends Command<void> {
  constructor(
    readonly caller: Principal,
    readonly id: string,
    readonly requestId: string,
  ) {
    super();
  }
}
