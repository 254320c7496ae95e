import { keepHalf } from './keep-half.js';

const MOST_BUCKETS = 50_000;
/** Seconds for which a bucket may be in debt at most, for what several processes gave away at once. */
const MOST_DEBT_SECONDS = 10;
/** Part of a second's worth that may be taken here before others must know. */
const URGENT = 0.05;

interface Bucket {
  /** Below zero: given away elsewhere at the same time. */
  tokens: number;
  at: number;
  /** Taken here since the others were told. */
  taken: number;
}

/** What is left of a bucket. */
export interface Left {
  /** Whole tokens. */
  readonly tokens: number;
  /** Seconds until there is one again; 0 where there is one. */
  readonly waitSeconds: number;
}

/** Hears that something was taken. @param urgent whether much of it was */
export type OnTaken = (urgent: boolean) => void;

/**
 * Token buckets: a second's worth may come at once, and more comes back steadily. Several processes keep the same bucket
 * by telling each other what they took: what was given away too much at once is owed, so that it comes right in the end.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #untold = new Map<string, Bucket>();
  readonly #urgentAt: number;
  #onTaken: OnTaken | undefined;
  #share = 1;

  /** @param rate tokens a second, above zero */
  constructor(readonly rate: number) {
    this.#urgentAt = Math.max(1, Math.floor(rate * URGENT));
  }

  /** @param now milliseconds of a steady clock. @returns whether there was a token left to take */
  take(key: string, now: number = performance.now()): boolean {
    const bucket = this.#refilled(key, now);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    if (this.#onTaken) this.#note(key, bucket, this.#onTaken);
    return true;
  }

  left(key: string, now: number = performance.now()): Left {
    const bucket = this.#buckets.get(key);
    const tokens = bucket ? this.#tokens(bucket, now) : this.#most;
    if (tokens >= 1) return { tokens: Math.floor(tokens), waitSeconds: 0 };
    return { tokens: 0, waitSeconds: (1 - tokens) / (this.rate * this.#share) };
  }

  /**
   * @param onTaken present while others are there to be told
   * @param share of the rate that may be given away here
   */
  between(onTaken: OnTaken | undefined, share: number, now: number = performance.now()): void {
    // What nobody could be told is not told later: each gave away no more than its share of it.
    if (!onTaken) this.#forgetUntold();
    this.#onTaken = onTaken;
    if (share === this.#share) return;
    // What came back until now came back by the old share; what is left is divided among those who saw it together.
    const part = Math.min(1, share / this.#share);
    for (const bucket of this.#buckets.values()) {
      this.#refill(bucket, now);
      if (bucket.tokens > 0) bucket.tokens *= part;
    }
    this.#share = share;
  }

  /** What was taken here since the last call, the most first: as many keys as `fits`. */
  untold(fits: (key: string, taken: number) => boolean): void {
    const ranked = [...this.#untold].sort(([, one], [, other]) => other.taken - one.taken);
    for (const [key, bucket] of ranked) {
      if (!fits(key, bucket.taken)) break;
      bucket.taken = 0;
      this.#untold.delete(key);
    }
    if (this.#untold.size > 0) this.#onTaken?.(false);
  }

  /** Another process took some. */
  takenElsewhere(key: string, tokens: number, now: number = performance.now()): void {
    const bucket = this.#refilled(key, now);
    bucket.tokens = Math.max(bucket.tokens - tokens, -MOST_DEBT_SECONDS * this.rate);
  }

  #refilled(key: string, now: number): Bucket {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size >= MOST_BUCKETS) this.#makeRoom(now);
      this.#buckets.set(key, (bucket = { tokens: this.#most, at: now, taken: 0 }));
    }
    this.#refill(bucket, now);
    return bucket;
  }

  #refill(bucket: Bucket, now: number): void {
    bucket.tokens = this.#tokens(bucket, now);
    bucket.at = now;
  }

  #tokens({ tokens, at }: Bucket, now: number): number {
    return Math.min(this.#most, tokens + ((now - at) / 1000) * this.rate * this.#share);
  }

  get #most(): number {
    return Math.max(1, this.rate * this.#share);
  }

  #note(key: string, bucket: Bucket, onTaken: OnTaken): void {
    bucket.taken += 1;
    if (bucket.taken === 1) this.#untold.set(key, bucket);
    if (bucket.taken === 1 || bucket.taken === this.#urgentAt) onTaken(bucket.taken >= this.#urgentAt);
  }

  #forgetUntold(): void {
    for (const bucket of this.#untold.values()) bucket.taken = 0;
    this.#untold.clear();
  }

  /** Who has used most stays; a full bucket says nothing that a new one would not. */
  #makeRoom(now: number): void {
    keepHalf(this.#buckets, MOST_BUCKETS, (bucket) => -this.#tokens(bucket, now));
  }
}
