import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { keyActor } from '../../../auth/index.js';
import { Ledger, newId, PersonalDataCodec } from '../../../event-store/index.js';
import { keepWebhook, requestedWebhook } from '../../../pix/index.js';
import { WebhookTestRequested } from '../../domain/webhook.events.js';
import { TestWebhook } from './test-webhook.command.js';

@CommandHandler(TestWebhook)
export class TestWebhookHandler implements ICommandHandler<TestWebhook> {
  constructor(
    private readonly ledger: Ledger,
    private readonly codec: PersonalDataCodec,
  ) {}

  async execute({ caller, address: asked, requestId }: TestWebhook): Promise<string> {
    const { partition, partnerUid, accountUid } = caller;
    const { webhook, secrets } = keepWebhook(requestedWebhook(asked), partition, this.codec);
    const stream = `webhook-test-${newId(partition)}`;
    const { events } = await this.ledger.execute({
      partition,
      reads: {},
      secrets,
      decide: () => [WebhookTestRequested.create(stream, 1, { partnerUid, accountUid, ...webhook })],
      metadata: { actor: keyActor(caller), requestId },
    });
    return events[0]!.id;
  }
}
