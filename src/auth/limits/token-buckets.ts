import { keepHalf } from './keep-half.js';

const MOST_BUCKETS = 50_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** What is left of a bucket. */
export interface Left {
  /** Whole tokens. */
  readonly tokens: number;
  /** Seconds until there is one again; 0 where there is one. */
  readonly waitSeconds: number;
}

/** Token buckets: a second's worth may come at once, and more comes back steadily. */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();

  /** @param rate tokens a second, above zero */
  constructor(readonly rate: number) {}

  /** @param now milliseconds of a steady clock. @returns whether there was a token left to take */
  take(key: string, now: number = performance.now()): boolean {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size >= MOST_BUCKETS) this.#makeRoom(now);
      this.#buckets.set(key, (bucket = { tokens: this.rate, at: now }));
    }
    bucket.tokens = this.#tokens(bucket, now);
    bucket.at = now;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  left(key: string, now: number = performance.now()): Left {
    const bucket = this.#buckets.get(key);
    const tokens = bucket ? this.#tokens(bucket, now) : this.rate;
    if (tokens >= 1) return { tokens: Math.floor(tokens), waitSeconds: 0 };
    return { tokens: 0, waitSeconds: (1 - tokens) / this.rate };
  }

  #tokens({ tokens, at }: Bucket, now: number): number {
    return Math.min(this.rate, tokens + ((now - at) / 1000) * this.rate);
  }

  /** Who has used most stays; a full bucket says nothing that a new one would not. */
  #makeRoom(now: number): void {
    keepHalf(this.#buckets, MOST_BUCKETS, (bucket) => -this.#tokens(bucket, now));
  }
}
