import { Inject, Injectable } from '@nestjs/common';
import { TokenBuckets } from '../auth/index.js';
import { type Config, CONFIG } from '../platform/config/index.js';
import { TooManyRequests } from '../platform/errors/index.js';

/**
 * Bounds the tests and redeliveries that one partner asks for, by whichever of its keys: each costs an event, attempts
 * for days, and a probe of a receiver that is taken for dead.
 */
@Injectable()
export class WebhookRequests {
  readonly #buckets: TokenBuckets;

  constructor(@Inject(CONFIG) { webhooks }: Config) {
    this.#buckets = new TokenBuckets(webhooks.requestsPerSecond);
  }

  /** @throws TooManyRequests when the partner has used up its requests */
  take(partnerUid: string): void {
    if (this.#buckets.take(partnerUid)) return;
    throw new TooManyRequests(`At most ${this.#buckets.rate} tests and redeliveries a second for one partner.`, 1);
  }
}
