import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger } from '../../../event-store/index.js';
import { WebhookSecretRotated } from '../../domain/partner.events.js';
import { partnerAppend } from '../../partner-append.js';
import { WebhookSecrets } from '../../webhook-secrets.js';
import { RotateWebhookSecret, type RotatedWebhookSecret } from './rotate-webhook-secret.command.js';

const BOTH_SIGN_MS = 24 * 60 * 60 * 1000;

@CommandHandler(RotateWebhookSecret)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecret> {
  constructor(
    private readonly ledger: Ledger,
    private readonly webhookSecrets: WebhookSecrets,
  ) {}

  async execute(command: RotateWebhookSecret): Promise<RotatedWebhookSecret> {
    const secret = this.webhookSecrets.make();
    const append = partnerAppend(command, ({ uid, version }, at) => [
      WebhookSecretRotated.create(`partner-${uid}`, version + 1, {
        uid,
        webhookSecretId: secret.stored.id,
        previousValidUntil: new Date(at.getTime() + BOTH_SIGN_MS).toISOString(),
      }),
    ]);
    const { events } = await this.ledger.execute({ ...append, secrets: [secret.stored] });
    const previousValidUntil = new Date(events[0]!.time.getTime() + BOTH_SIGN_MS);
    return { webhookSecret: secret.text, previousValidUntil };
  }
}
