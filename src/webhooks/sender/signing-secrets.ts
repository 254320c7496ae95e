import { Injectable } from '@nestjs/common';
import { Registry, WebhookSecrets } from '../../accounts/index.js';

const CACHE_MS = 5_000;
const MAX_ENTRIES = 10_000;

interface Cached {
  readonly version: number;
  readonly until: number;
  readonly secrets: Promise<string[]>;
}

/** The secrets that sign a partner's webhooks, cached for moments; a rotation is seen as soon as the registry sees it. */
@Injectable()
export class SigningSecrets {
  readonly #cache = new Map<string, Cached>();

  constructor(
    private readonly registry: Registry,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** Newest first; one at least. @throws EntityNotFound, ServiceUnavailable */
  async of(partnerUid: string): Promise<[string, ...string[]]> {
    const partner = await this.registry.partner(partnerUid);
    const now = performance.now();
    let cached = this.#cache.get(partnerUid);
    if (!cached || cached.version !== partner.version || cached.until <= now) {
      if (this.#cache.size >= MAX_ENTRIES) this.#cache.clear();
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
