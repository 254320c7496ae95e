export { WebhooksModule } from './webhooks.module.js';
export { WebhookTestRequested } from './domain/webhook.events.js';
export { type DeliveryStatus } from './domain/delivery.js';
export { ListDeliveries, type DeliveryView } from './queries/deliveries/deliveries.query.js';
export { DELIVERY_NULLABLE, DELIVERY_PAGE, TransactionDeliveriesQuery } from './queries/deliveries/deliveries.dto.js';
export { DeliveryHealth, type DeliveryHealthView } from './queries/delivery-health.js';
export { type FailingDelivery, FailingDeliveries, type FailingFilters } from './queries/failing/failing-deliveries.js';
export { RedeliverWebhook } from './commands/redeliver-webhook/redeliver-webhook.command.js';
