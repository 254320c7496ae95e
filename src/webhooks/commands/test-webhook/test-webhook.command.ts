import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';

/** Sends one signed sample to an address. @returns the delivery's id */
export class TestWebhook extends Command<string> {
  constructor(
    readonly caller: Principal,
    readonly url: string,
    readonly customHeaderName: string | undefined,
    readonly customHeaderValue: string | undefined,
    readonly requestId: string,
  ) {
    super();
  }
}
