import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, newId, PersonalDataCodec, type SecretToStore } from '../../../event-store/index.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { type FaultDetail, ValidationError } from '../../../platform/errors/index.js';
import { addressPolicy, type AddressPolicy } from '../../../platform/outbound/address-policy.js';
import { customHeader, customHeaderFaults } from '../../../platform/outbound/custom-header.js';
import { checkWebhookUrl } from '../../../platform/outbound/webhook-url.js';
import { WebhookTestRequested } from '../../domain/webhook.events.js';
import { TestWebhook } from './test-webhook.command.js';

@CommandHandler(TestWebhook)
export class TestWebhookHandler implements ICommandHandler<TestWebhook> {
  readonly #policy: AddressPolicy;

  constructor(
    private readonly ledger: Ledger,
    private readonly codec: PersonalDataCodec,
    @Inject(CONFIG) { webhooks, production }: Config,
  ) {
    const { allowedNetworks, allowHttp } = webhooks;
    this.#policy = addressPolicy({ allowedNetworks, allowHttp, allowLoopback: !production });
  }

  async execute(command: TestWebhook): Promise<string> {
    this.#assertSound(command);
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

  /** @throws ValidationError with every fault */
  #assertSound({ url, customHeaderName, customHeaderValue }: TestWebhook): void {
    const check = checkWebhookUrl(url, this.#policy);
    const faults: FaultDetail[] = [
      ...(check.ok ? [] : [{ path: 'url', ...check.fault, info: {} }]),
      ...customHeaderFaults(customHeaderName, customHeaderValue).map((fault) => ({ ...fault, info: {} })),
    ];
    if (faults.length > 0) throw new ValidationError(faults);
  }
}
