export { WebhooksModule } from './webhooks.module.js';
export { WebhookTestRequested } from './domain/webhook.events.js';
export { type DeliveryStatus } from './domain/delivery.js';
export { ATTEMPT_ERROR, DELIVERY_STATUS, DeliveryView, ListDeliveries } from './queries/deliveries/deliveries.query.js';
export { DELIVERY_PAGE, TransactionDeliveriesQuery } from './queries/deliveries/deliveries.dto.js';
export { DeliveryHealth } from './queries/delivery-health.js';
export { DeliveryHealthView } from './queries/delivery-health.answer.js';
export { type FailingDelivery, FailingDeliveries, type FailingFilters } from './queries/failing/failing-deliveries.js';
export { RedeliverWebhook } from './commands/redeliver-webhook/redeliver-webhook.command.js';
