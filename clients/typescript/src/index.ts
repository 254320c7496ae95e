export type { CallOptions, CommandOptions, CommandResult, PreviewOptions } from './calls.js';
export { PaymentsClient, type PaymentsClientOptions } from './client.js';
export * from './errors.js';
export { fromCentavos, toCentavos } from './money.js';
export type { FollowOptions } from './payout-files.js';
export { type Page, Pages } from './pages.js';
export type { RetryOptions } from './retry.js';
export type * from './types.js';
export {
  InvalidWebhookSecret,
  type VerifiedWebhook,
  type WebhookFault,
  type WebhookHeaders,
  WebhookVerificationError,
  WebhookVerifier,
  type WebhookVerifierOptions,
} from './webhooks.js';
