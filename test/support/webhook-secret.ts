import { randomBytes } from 'node:crypto';

/** A secret as partners have them (Standard Webhooks). */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
