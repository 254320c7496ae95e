import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type Partner, Registry, WebhookSecrets } from '../../accounts/index.js';
import { isWebhookSecret } from '../outbound/standard-webhooks.js';

const CACHE_MS = 5_000;
const MAX_ENTRIES = 10_000;

interface Cached {
  readonly version: number;
  readonly until: number;
  readonly secrets: Promise<string[]>;
}

/** A partner's signing secrets, cached for seconds; a rotation takes effect with the registry's update. */
@Injectable()
export class SigningSecrets {
  readonly #cache = new LRUCache<string, Cached>({ max: MAX_ENTRIES });

  constructor(
    private readonly registry: Registry,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** Newest first; none that cannot be read. @throws EntityNotFound, ServiceUnavailable */
  async of(partnerUid: string): Promise<string[]> {
    const partner = await this.registry.partner(partnerUid);
    const now = performance.now();
    let cached = this.#cache.get(partnerUid);
    if (!cached || cached.version !== partner.version || cached.until <= now) {
      cached = {
        version: partner.version,
        until: now + CACHE_MS,
        secrets: this.#signing(partner),
      };
      cached.secrets.catch(() => this.#cache.delete(partnerUid));
      this.#cache.set(partnerUid, cached);
    }
    return cached.secrets;
  }

  async #signing(partner: Partner): Promise<string[]> {
    return (await this.secrets.signing(partner, new Date())).filter(isWebhookSecret);
  }
}
