import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { keyActor } from '../../../auth/index.js';
import { Ledger, newId, partitionOf } from '../../../event-store/index.js';
import { AccountWebhooks } from '../../account-webhooks.js';
import { AccountWebhookRemoved } from '../../domain/webhook.events.js';
import { RemoveAccountWebhook } from './remove-account-webhook.command.js';

/** Idempotent: no event where there is no address. */
@CommandHandler(RemoveAccountWebhook)
export class RemoveAccountWebhookHandler implements ICommandHandler<RemoveAccountWebhook> {
  constructor(
    private readonly ledger: Ledger,
    private readonly webhooks: AccountWebhooks,
  ) {}

  async execute({ accountUid, caller, requestId }: RemoveAccountWebhook): Promise<void> {
    const { partnerUid } = caller;
    await this.webhooks.assertOwner(accountUid, partnerUid);
    if (!(await this.webhooks.newest(accountUid))?.url) return;
    const partition = partitionOf(accountUid)!;
    const id = newId(partition);
    await this.ledger.execute({
      partition,
      reads: {},
      creates: { accountWebhooks: [id] },
      decide: () => [AccountWebhookRemoved.create(`account-webhook-${id}`, 1, { id, partnerUid, accountUid })],
      metadata: { actor: keyActor(caller), requestId, correlation: accountUid },
    });
  }
}
