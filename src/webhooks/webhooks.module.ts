import { Inject, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountsModule, DeliveryStatuses } from '../accounts/index.js';
import { AuthModule } from '../auth/index.js';
import { InlineProjections, LeasedWork, Subscriptions } from '../event-store/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';
import { accountWebhookProjection } from './account-webhook.projection.js';
import { AccountWebhooks } from './account-webhooks.js';
import { AccountWebhooksController } from './account-webhooks.controller.js';
import { RedeliverWebhookHandler } from './commands/redeliver-webhook/redeliver-webhook.handler.js';
import { RemoveAccountWebhookHandler } from './commands/remove-account-webhook/remove-account-webhook.handler.js';
import { SetAccountWebhookHandler } from './commands/set-account-webhook/set-account-webhook.handler.js';
import { TestWebhookHandler } from './commands/test-webhook/test-webhook.handler.js';
import { DeliveryOutcomes } from './deliveries/delivery-outcomes.js';
import { DeliverySeals } from './deliveries/delivery-seals.js';
import { OperatorWebhooksController } from './operator-webhooks.controller.js';
import { GetAccountWebhookHandler } from './queries/account-webhook/account-webhook.handler.js';
import { ListDeliveriesHandler } from './queries/deliveries/deliveries.handler.js';
import { DeliveryRow, DeliveryRows } from './queries/deliveries/delivery-rows.js';
import { DeliveryHealth } from './queries/delivery-health.js';
import { FailingDeliveries } from './queries/failing/failing-deliveries.js';
import { DeadReceivers } from './sender/dead-receivers.js';
import { LoggedDeliveries } from './sender/logged-deliveries.js';
import { Materials } from './sender/materials.js';
import { SigningSecrets } from './sender/signing-secrets.js';
import { WebhookSender } from './sender/webhook-sender.js';
import { WebhookMetrics } from './webhook-metrics.js';
import { WebhooksController } from './webhooks.controller.js';
import { webhooksSaga } from './webhooks.saga.js';

/**
 * Webhooks for changes of state, and for what happens to accounts: the saga adds deliveries, the sender attempts them,
 * partners read the delivery log.
 */
@Module({
  imports: [AuthModule, AccountsModule, TypeOrmModule.forFeature([DeliveryRow])],
  controllers: [AccountWebhooksController, WebhooksController, OperatorWebhooksController],
  providers: [
    AccountWebhooks,
    DeadReceivers,
    DeliveryHealth,
    DeliveryOutcomes,
    DeliveryRows,
    DeliverySeals,
    FailingDeliveries,
    GetAccountWebhookHandler,
    ListDeliveriesHandler,
    LoggedDeliveries,
    Materials,
    RedeliverWebhookHandler,
    RemoveAccountWebhookHandler,
    SetAccountWebhookHandler,
    SigningSecrets,
    TestWebhookHandler,
    WebhookMetrics,
    WebhookSender,
  ],
  exports: [DeliveryHealth, FailingDeliveries],
})
export class WebhooksModule {
  constructor(
    projections: InlineProjections,
    subscriptions: Subscriptions,
    work: LeasedWork,
    sender: WebhookSender,
    rows: DeliveryRows,
    statuses: DeliveryStatuses,
    seals: DeliverySeals,
    @Inject(CONFIG) { webhooks }: Config,
  ) {
    projections.register(accountWebhookProjection);
    subscriptions.register(webhooksSaga(webhooks.retrySchedule, seals, (targets) => sender.hurry(targets)));
    work.register(sender.worker());
    statuses.register((partition, transactions) => rows.statuses(partition, transactions));
  }
}
