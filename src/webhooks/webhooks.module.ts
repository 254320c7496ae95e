import { Inject, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule, DeliveryStatuses } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import { LeasedWork, Subscriptions } from '../event-store/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';
import { RedeliverWebhookHandler } from './commands/redeliver-webhook/redeliver-webhook.handler.js';
import { TestWebhookHandler } from './commands/test-webhook/test-webhook.handler.js';
import { DeliveryOutcomes } from './delivery-outcomes.js';
import { OperatorWebhooksController } from './operator-webhooks.controller.js';
import { ListDeliveriesHandler } from './queries/deliveries/deliveries.handler.js';
import { DeliveryRow, DeliveryRows } from './queries/deliveries/delivery-rows.js';
import { DeliveryHealth } from './queries/delivery-health.js';
import { FailingDeliveries } from './queries/failing/failing-deliveries.js';
import { Materials } from './sender/materials.js';
import { SigningSecrets } from './sender/signing-secrets.js';
import { WebhookSender } from './sender/webhook-sender.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhooksController } from './webhooks.controller.js';
import { webhooksSaga } from './webhooks.saga.js';

/**
 * Webhooks for changes of state: the saga adds deliveries, the sender attempts them, partners read the delivery log.
 */
@Module({
  imports: [AuthModule, AccountsModule, TypeOrmModule.forFeature([DeliveryRow])],
  controllers: [WebhooksController, OperatorWebhooksController],
  providers: [
    DeliveryHealth,
    DeliveryOutcomes,
    DeliveryRows,
    FailingDeliveries,
    ListDeliveriesHandler,
    Materials,
    RedeliverWebhookHandler,
    SigningSecrets,
    TestWebhookHandler,
    WebhookMetrics,
    WebhookSender,
  ],
  exports: [DeliveryHealth, FailingDeliveries],
})
export class WebhooksModule {
  constructor(
    subscriptions: Subscriptions,
    work: LeasedWork,
    sender: WebhookSender,
    rows: DeliveryRows,
    statuses: DeliveryStatuses,
    @Inject(CONFIG) { webhooks }: Config,
  ) {
    subscriptions.register(webhooksSaga(webhooks.retrySchedule, (targets) => sender.hurry(targets)));
    work.register(sender.worker());
    statuses.register((partition, ids) => rows.statuses(partition, ids));
  }
}
