import type { AccountNotification, WebhookNotification } from './types.js';

export type WebhookFault =
  | 'MissingHeader'
  | 'InvalidTimestamp'
  | 'TimestampTooOld'
  | 'TimestampInFuture'
  | 'SignatureMismatch'
  | 'InvalidBody';

/** The message is forged or replayed. Answer 401 and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(readonly fault: WebhookFault) {
    super(`the webhook is not to be trusted: ${fault}`);
  }
}

/** A secret is not `whsec_` and base64 of 24 to 64 bytes. The message does not repeat it. */
export class InvalidWebhookSecret extends TypeError {
  override readonly name = 'InvalidWebhookSecret';

  constructor() {
    super('A webhook secret is whsec_ followed by the base64 of 24 to 64 bytes.');
  }
}

export interface WebhookVerifierOptions {
  /** Tolerance between the sender's clock and this one, seconds. Default 300. */
  readonly toleranceSeconds?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** A genuine message. */
export interface VerifiedWebhook<Notification = WebhookNotification> {
  /** `webhook-id`: the same on every attempt. Store it in a unique column to process the message once. */
  readonly id: string;
  readonly timestamp: Date;
  readonly notification: Notification;
}

/** Headers of `fetch`, Node, Express, Fastify or a gateway, their names in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

/**
 * Checks the Standard Webhooks headers (standardwebhooks.com, symmetric scheme `v1`): HMAC-SHA256 over
 * `id.timestamp.body`. Several secrets and several signatures are accepted: during a rotation one pair matches. Web
 * Crypto compares in constant time.
 */
export class WebhookVerifier {
  readonly #keys: Promise<CryptoKey[]>;

  /**
   * @param secrets `whsec_…`, or several: the current and the previous one
   * @throws InvalidWebhookSecret
   */
  constructor(
    secrets: string | readonly string[],
    private readonly options: WebhookVerifierOptions = {},
  ) {
    const bytes = [secrets].flat().map(bytesOf);
    if (bytes.length === 0) throw new InvalidWebhookSecret();
    this.#keys = Promise.all(
      bytes.map((secret) => crypto.subtle.importKey('raw', secret, ALGORITHM, false, ['verify'])),
    );
  }

  /**
   * What was sent to the address of a payment.
   * @param body the bytes as received, or their text; never JSON that was parsed and serialized again
   * @throws WebhookVerificationError; TypeError for a body that is neither
   */
  async verify(body: string | Uint8Array, headers: WebhookHeaders): Promise<VerifiedWebhook> {
    return (await this.#verified(body, headers)) as VerifiedWebhook;
  }

  /** As `verify`, for what was sent to the address of an account. */
  async verifyAccount(
    body: string | Uint8Array,
    headers: WebhookHeaders,
  ): Promise<VerifiedWebhook<AccountNotification>> {
    return (await this.#verified(body, headers)) as VerifiedWebhook<AccountNotification>;
  }

  async #verified(body: string | Uint8Array, headers: WebhookHeaders): Promise<VerifiedWebhook<unknown>> {
    if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
      throw new TypeError('The body is its bytes or their text, as received: not what was parsed from it.');
    }
    const id = header(headers, 'webhook-id');
    const timestamp = header(headers, 'webhook-timestamp');
    const signatures = header(headers, 'webhook-signature').split(' ');
    const sentAt = this.#inTime(timestamp);
    if (!(await this.#fits(concat(`${id}.${timestamp}.`, body), signatures))) {
      throw new WebhookVerificationError('SignatureMismatch');
    }
    return { id, timestamp: sentAt, notification: parse(body) };
  }

  #inTime(timestamp: string): Date {
    if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookVerificationError('InvalidTimestamp');
    const at = Number(timestamp) * 1000;
    const { toleranceSeconds = 300, now = Date.now } = this.options;
    const age = now() - at;
    // So that a tolerance that is no number refuses all, instead of nothing.
    if (!(age <= toleranceSeconds * 1000)) throw new WebhookVerificationError('TimestampTooOld');
    if (!(age >= -toleranceSeconds * 1000)) throw new WebhookVerificationError('TimestampInFuture');
    return new Date(at);
  }

  async #fits(signed: Uint8Array<ArrayBuffer>, signatures: readonly string[]): Promise<boolean> {
    const candidates = signatures
      .filter((signature) => signature.startsWith('v1,'))
      .flatMap((signature) => fromBase64(signature.slice(3)) ?? []);
    for (const key of await this.#keys) {
      for (const candidate of candidates) {
        if (await crypto.subtle.verify(ALGORITHM.name, key, candidate, signed)) return true;
      }
    }
    return false;
  }
}

function bytesOf(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith('whsec_') ? fromBase64(secret.slice('whsec_'.length)) : undefined;
  if (!bytes || bytes.length < 24 || bytes.length > 64) throw new InvalidWebhookSecret();
  return bytes;
}

function header(headers: WebhookHeaders, name: string): string {
  const given = headers instanceof Headers ? headers.get(name) : inAnyCase(headers)[name];
  const value = Array.isArray(given) && given.length === 1 ? (given[0] as unknown) : given;
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError('MissingHeader');
  return value;
}

function inAnyCase(headers: Exclude<WebhookHeaders, Headers>): Exclude<WebhookHeaders, Headers> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concat(prefix: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const [head, tail] = [encoder.encode(prefix), typeof body === 'string' ? encoder.encode(body) : body];
  const all = new Uint8Array(head.length + tail.length);
  all.set(head);
  all.set(tail, head.length);
  return all;
}

function parse(body: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)) as unknown;
  } catch {
    throw new WebhookVerificationError('InvalidBody');
  }
}
