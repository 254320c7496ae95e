import { Command } from '@nestjs/cqrs';
import type { Principal } from '../../../auth/index.js';
import type { AccountWebhook } from '../../account-webhook.projection.js';
import type { WebhookAddressDto } from '../../dto/webhook-address.dto.js';

/** From now on the account is told at this address only. */
export class SetAccountWebhook extends Command<AccountWebhook> {
  constructor(
    readonly accountUid: string,
    readonly address: WebhookAddressDto,
    readonly caller: Principal,
    readonly requestId: string,
  ) {
    super();
  }
}
