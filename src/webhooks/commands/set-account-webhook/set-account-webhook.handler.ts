import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { keyActor } from '../../../auth/index.js';
import { Ledger, newId, partitionOf, PersonalDataCodec } from '../../../event-store/index.js';
import { keepWebhook, requestedWebhook } from '../../../pix/index.js';
import { type AccountWebhook, accountWebhookOf } from '../../account-webhook.projection.js';
import { AccountWebhooks } from '../../account-webhooks.js';
import { AccountWebhookSet } from '../../domain/webhook.events.js';
import { SetAccountWebhook } from './set-account-webhook.command.js';

/** The address has no version to check: of two requests at once the later one in the log stands. */
@CommandHandler(SetAccountWebhook)
export class SetAccountWebhookHandler implements ICommandHandler<SetAccountWebhook> {
  constructor(
    private readonly ledger: Ledger,
    private readonly codec: PersonalDataCodec,
    private readonly webhooks: AccountWebhooks,
  ) {}

  async execute({ accountUid, address: asked, caller, requestId }: SetAccountWebhook): Promise<AccountWebhook> {
    const { partnerUid } = caller;
    await this.webhooks.assertOwner(accountUid, partnerUid);
    const partition = partitionOf(accountUid)!;
    const id = newId(partition);
    const { webhook, secrets } = keepWebhook(requestedWebhook(asked), partition, this.codec);
    const { events } = await this.ledger.execute({
      partition,
      reads: {},
      creates: { accountWebhooks: [id] },
      secrets,
      decide: () => [AccountWebhookSet.create(`account-webhook-${id}`, 1, { id, partnerUid, accountUid, ...webhook })],
      metadata: { actor: keyActor(caller), requestId, correlation: accountUid },
    });
    const [event] = events;
    if (!event || !AccountWebhookSet.is(event)) throw new TypeError('the address was not appended');
    return accountWebhookOf(event);
  }
}
