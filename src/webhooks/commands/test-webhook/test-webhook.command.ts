import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';
import type { WebhookAddressDto } from '../../dto/webhook-address.dto.js';

/** Sends one signed sample to an address. @returns the delivery's id */
export class TestWebhook extends Command<string> {
  constructor(
    readonly caller: Principal,
    readonly address: WebhookAddressDto,
    readonly requestId: string,
  ) {
    super();
  }
}
