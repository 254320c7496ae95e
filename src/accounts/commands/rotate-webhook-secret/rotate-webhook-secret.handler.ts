import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, partitionOf, REGISTRY_PARTITION } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { WebhookSecretRotated } from '../../domain/partner.events.js';
import { partnerProjection } from '../../partner.projection.js';
import { WebhookSecrets } from '../../webhook-secrets.js';
import { RotateWebhookSecret, type RotatedWebhookSecret } from './rotate-webhook-secret.command.js';

const BOTH_SIGN_MS = 24 * 60 * 60 * 1000;

@CommandHandler(RotateWebhookSecret)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecret> {
  constructor(
    private readonly ledger: Ledger,
    private readonly webhookSecrets: WebhookSecrets,
  ) {}

  async execute({ partnerUid, actor, requestId }: RotateWebhookSecret): Promise<RotatedWebhookSecret> {
    if (partitionOf(partnerUid) !== REGISTRY_PARTITION) throw new EntityNotFound('PartnerEntity', 'uid', partnerUid);
    const secret = this.webhookSecrets.make();
    const { events } = await this.ledger.execute({
      partition: REGISTRY_PARTITION,
      reads: { partners: [partnerUid] },
      secrets: [secret.stored],
      decide: (rows, at) => {
        const partner = rows.of(partnerProjection).get(partnerUid);
        if (!partner) throw new EntityNotFound('PartnerEntity', 'uid', partnerUid);
        return [
          WebhookSecretRotated.create(`partner-${partnerUid}`, partner.version + 1, {
            uid: partnerUid,
            webhookSecretId: secret.stored.id,
            previousValidUntil: new Date(at.getTime() + BOTH_SIGN_MS).toISOString(),
          }),
        ];
      },
      metadata: { actor, requestId, correlation: partnerUid },
    });
    const previousValidUntil = new Date(events[0]!.time.getTime() + BOTH_SIGN_MS);
    return { webhookSecret: secret.text, previousValidUntil };
  }
}
