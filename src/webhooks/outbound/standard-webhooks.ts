import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A stored secret is not `whsec_` and base64 of 24 to 64 bytes. The message does not repeat it. */
export class InvalidWebhookSecret extends Error {
  override readonly name = 'InvalidWebhookSecret';

  constructor() {
    super('A webhook secret is whsec_ followed by the base64 of 24 to 64 bytes.');
  }
}

export interface WebhookMessage {
  /** The delivery's id, the same on every attempt. */
  readonly id: string;
  /** The time of this attempt; the header has whole seconds. */
  readonly timestamp: Date;
  /** The body, exactly as sent. */
  readonly body: string;
}

export interface WebhookSignatureHeaders extends Record<string, string> {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
}

/**
 * The Standard Webhooks headers of one attempt (standardwebhooks.com, "Signature scheme", symmetric): HMAC-SHA256 over
 * `id.timestamp.body`, one `v1,` signature for each secret, newest first, so that both are valid during a rotation.
 * @throws InvalidWebhookSecret
 */
export function signWebhook(message: WebhookMessage, secrets: readonly [string, ...string[]]): WebhookSignatureHeaders {
  const timestamp = Math.floor(message.timestamp.getTime() / 1000).toString();
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`,
  );
  return { 'webhook-id': message.id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') };
}

/** Whether it signs: what is no such secret was damaged where it is stored. */
export function isWebhookSecret(secret: string): boolean {
  const text = secret.slice(PREFIX.length);
  const { length } = Buffer.from(text, 'base64');
  return secret.startsWith(PREFIX) && BASE64.test(text) && length >= 24 && length <= 64;
}

function keyOf(secret: string): Buffer {
  if (!isWebhookSecret(secret)) throw new InvalidWebhookSecret();
  return Buffer.from(secret.slice(PREFIX.length), 'base64');
}
