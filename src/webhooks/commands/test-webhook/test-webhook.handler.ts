import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, newId, PersonalDataCodec, type SecretToStore } from '../../../event-store/index.js';
import { customHeader } from '../../../platform/outbound/custom-header.js';
import { WebhookTestRequested } from '../../domain/webhook.events.js';
import { TestWebhook } from './test-webhook.command.js';

@CommandHandler(TestWebhook)
export class TestWebhookHandler implements ICommandHandler<TestWebhook> {
  constructor(
    private readonly ledger: Ledger,
    private readonly codec: PersonalDataCodec,
  ) {}

  async execute(command: TestWebhook): Promise<string> {
    const { caller, url } = command;
    const { partition, partnerUid, accountUid } = caller;
    const [header] = Object.entries(customHeader(command.customHeaderName, command.customHeaderValue));
    const secret: SecretToStore | undefined = header && this.#sealed(newId(partition), header[1]);
    const { events } = await this.ledger.execute({
      partition,
      reads: {},
      secrets: secret && [secret],
      decide: () => [
        WebhookTestRequested.create(`webhook-test-${newId(partition)}`, 1, {
          partnerUid,
          accountUid,
          url,
          ...(header && secret && { header: { name: header[0], secretId: secret.id } }),
        }),
      ],
      metadata: { actor: `access-key:${caller.accessKey}`, requestId: command.requestId },
    });
    return events[0]!.id;
  }

  #sealed(id: string, value: string): SecretToStore {
    return { id, value: this.codec.sealSecret(id, value) };
  }
}
