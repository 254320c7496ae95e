import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';

/** The account is told nowhere from now on. What is under way already is still delivered. */
export class RemoveAccountWebhook extends Command<void> {
  constructor(
    readonly accountUid: string,
    readonly caller: Principal,
    readonly requestId: string,
  ) {
    super();
  }
}
