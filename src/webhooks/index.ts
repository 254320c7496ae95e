export { WebhooksModule } from './webhooks.module.js';
export { type DeliveryStatus, hostOf } from './domain/delivery.js';
export {
  ATTEMPT_ERROR,
  BACK_OFFICE,
  DELIVERY_STATUS,
  DeliveryView,
  ListDeliveries,
} from './queries/deliveries/deliveries.query.js';
export { DELIVERY_PAGE, TransactionDeliveriesQuery } from './queries/deliveries/deliveries.dto.js';
export { DeliveryHealth } from './queries/delivery-health.js';
export { DeliveryHealthView } from './queries/delivery-health.answer.js';
export { type DeliverySearch, FailingDeliveries, type FoundDelivery } from './queries/failing/failing-deliveries.js';
export { HostCounts } from './queries/failing/host-counts.answer.js';
export { CIRCUIT_EXAMPLE, CircuitView } from './queries/failing/circuit.answer.js';
export { RedeliverWebhook } from './commands/redeliver-webhook/redeliver-webhook.command.js';
