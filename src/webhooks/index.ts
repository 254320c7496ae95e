export { WebhooksModule } from './webhooks.module.js';
export { WebhookRedeliveryRequested, WebhookTestRequested } from './domain/webhook.events.js';
