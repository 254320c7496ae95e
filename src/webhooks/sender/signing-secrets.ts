import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Registry, WebhookSecrets } from '../../accounts/index.js';

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

  /** Newest first; at least one. @throws EntityNotFound, ServiceUnavailable */
  async of(partnerUid: string): Promise<[string, ...string[]]> {
    const partner = await this.registry.partner(partnerUid);
    const now = performance.now();
    let cached = this.#cache.get(partnerUid);
    if (!cached || cached.version !== partner.version || cached.until <= now) {
      cached = {
        version: partner.version,
        until: now + CACHE_MS,
        secrets: this.secrets.signing(partner, new Date()),
      };
      cached.secrets.catch(() => this.#cache.delete(partnerUid));
      this.#cache.set(partnerUid, cached);
    }
    return (await cached.secrets) as [string, ...string[]];
  }
}
