import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../platform/config/index.js';
import { TooManyRequests } from '../platform/errors/index.js';
import { TokenBuckets } from './token-buckets.js';

/** Bounds the requests of one access key. */
@Injectable()
export class RateLimiter {
  readonly #buckets: TokenBuckets;

  constructor(@Inject(CONFIG) { rateLimitPerSecond }: Config) {
    this.#buckets = new TokenBuckets(rateLimitPerSecond);
  }

  /** @throws TooManyRequests when the key has used up its requests */
  take(key: string): void {
    if (this.#buckets.take(key)) return;
    throw new TooManyRequests(`At most ${this.#buckets.rate} requests a second for one access key.`, 1);
  }
}
