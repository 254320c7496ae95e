import { Inject, Injectable } from '@nestjs/common';
import { type Config, CONFIG } from '../platform/config/index.js';
import { TooManyRequests } from '../platform/errors/index.js';

const MAX_BUCKETS = 50_000;

/** A token bucket for each access key, counted in this process: a second's worth of requests may come at once. */
@Injectable()
export class RateLimiter {
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** @throws TooManyRequests when the key has used up its requests */
  take(key: string, now: number = performance.now()): void {
    const rate = this.config.rateLimitPerSecond;
    if (rate === 0) return;
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size >= MAX_BUCKETS) this.#buckets.clear();
      this.#buckets.set(key, (bucket = { tokens: rate, at: now }));
    }
    bucket.tokens = Math.min(rate, bucket.tokens + ((now - bucket.at) / 1000) * rate);
    bucket.at = now;
    if (bucket.tokens < 1) throw new TooManyRequests(`At most ${rate} requests a second for one access key.`, 1);
    bucket.tokens -= 1;
  }
}
