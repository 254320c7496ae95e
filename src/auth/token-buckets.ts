const MAX_BUCKETS = 50_000;

/** Token buckets, counted in this process: a second's worth may come at once, and more comes back steadily. */
export class TokenBuckets {
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  /** @param rate tokens a second; 0 is no limit */
  constructor(readonly rate: number) {}

  /** @param now milliseconds of a steady clock. @returns whether there was a token left to take */
  take(key: string, now: number = performance.now()): boolean {
    if (this.rate === 0) return true;
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size >= MAX_BUCKETS) this.#dropFull(now);
      this.#buckets.set(key, (bucket = { tokens: this.rate, at: now }));
    }
    bucket.tokens = this.#tokens(bucket, now);
    bucket.at = now;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }

  #tokens({ tokens, at }: { tokens: number; at: number }, now: number): number {
    return Math.min(this.rate, tokens + ((now - at) / 1000) * this.rate);
  }

  /** A full bucket says nothing that a new one would not. Where none is full, all go: memory comes first. */
  #dropFull(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (this.#tokens(bucket, now) >= this.rate) this.#buckets.delete(key);
    }
    if (this.#buckets.size >= MAX_BUCKETS) this.#buckets.clear();
  }
}
