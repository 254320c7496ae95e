import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, newId, partitionOf } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { DeliveryRows } from '../../queries/deliveries/delivery-rows.js';
import { WebhookRedeliveryRequested } from '../../domain/webhook.events.js';
import { RedeliverWebhook } from './redeliver-webhook.command.js';

@CommandHandler(RedeliverWebhook)
export class RedeliverWebhookHandler implements ICommandHandler<RedeliverWebhook> {
  constructor(
    private readonly ledger: Ledger,
    private readonly rows: DeliveryRows,
  ) {}

  async execute({ deliveryId, accountUid, actor, requestId }: RedeliverWebhook): Promise<string> {
    const partition = partitionOf(deliveryId);
    const owner = partition === undefined ? undefined : await this.rows.owner(partition, deliveryId);
    if (partition === undefined || !owner || (accountUid !== undefined && owner.accountUid !== accountUid)) {
      throw new EntityNotFound('WebhookDeliveryEntity', 'id', deliveryId);
    }
    const requested = { deliveryId, partnerUid: owner.partnerUid, accountUid: owner.accountUid };
    const stream = `webhook-redelivery-${newId(partition)}`;
    await this.ledger.execute({
      partition,
      reads: {},
      decide: () => [WebhookRedeliveryRequested.create(stream, 1, requested)],
      metadata: { actor, requestId, correlation: deliveryId },
    });
    return deliveryId;
  }
}
