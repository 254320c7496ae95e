import { randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import {
  newId,
  PersonalDataCodec,
  REGISTRY_PARTITION,
  type SecretToStore,
  StoredSecrets,
} from '../event-store/index.js';
import type { Partner } from './domain/partner.js';

/** Partners' webhook secrets (Standard Webhooks, `whsec_…`): encrypted at rest, read back to sign. */
@Injectable()
export class WebhookSecrets {
  readonly #logger = new Logger(WebhookSecrets.name);

  constructor(
    private readonly secrets: StoredSecrets,
    private readonly codec: PersonalDataCodec,
  ) {}

  /** Of 32 bytes; the specification asks for 24 to 64. */
  make(): { text: string; stored: SecretToStore } {
    const id = newId(REGISTRY_PARTITION);
    const text = `whsec_${randomBytes(32).toString('base64')}`;
    return { text, stored: { id, value: this.codec.sealSecret(id, text) } };
  }

  /** The secrets that sign at a moment, for a worker: newest first; none that cannot be read. */
  async signing(partner: Partner, at: Date): Promise<string[]> {
    const valid = partner.webhookSecrets.filter(({ validUntil }) => validUntil === null || new Date(validUntil) > at);
    const values = await this.secrets.findInBackground(
      REGISTRY_PARTITION,
      valid.map(({ id }) => id),
    );
    return valid.flatMap(({ id }) => this.#open(id, values.get(id)) ?? []);
  }

  #open(id: string, value: Buffer | undefined): string | undefined {
    try {
      if (value) return this.codec.openSecret(id, value);
      this.#logger.error({ secret: id }, 'webhook secret is missing');
    } catch (error) {
      this.#logger.error({ err: error, secret: id }, 'webhook secret cannot be decrypted');
    }
    return undefined;
  }
}
