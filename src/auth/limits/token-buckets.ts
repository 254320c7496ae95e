import { keepHalf } from './keep-half.js';

const MAX_BUCKETS = 50_000;
/** The largest debt that others' takes make, in seconds: several processes may grant tokens concurrently. */
const MAX_DEBT_SECONDS = 10;
/** More than one request takes: the items of a batch are 500 at most. */
const MAX_OF_REQUEST = 1_000;
/** Share of a second's tokens that may be taken here before others must be notified. */
const URGENT = 0.05;

interface Bucket {
  /** Below zero: granted concurrently elsewhere. */
  tokens: number;
  at: number;
  /** Taken here and not sent to the others yet. */
  taken: number;
}

/** What remains of a bucket. */
export interface Left {
  /** Whole tokens. */
  readonly tokens: number;
  /** Seconds until there are as many as are waited for; 0 where there are. */
  readonly waitSeconds: number;
}

/** Called when tokens were taken. @param urgent whether they were many */
export type OnTaken = (urgent: boolean) => void;

/**
 * Token buckets: a burst of a second's tokens, then a steady refill. Several processes keep the same bucket by sending
 * each other what they took: tokens granted in excess become a debt, so that the sum is the limit.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #unsent = new Map<string, Bucket>();
  readonly #urgentAt: number;
  #onTaken: OnTaken | undefined;
  #share = 1;

  /** @param rate tokens a second, above zero */
  constructor(readonly rate: number) {
    this.#urgentAt = Math.max(1, Math.floor(rate * URGENT));
  }

  /**
   * A full bucket grants more than it holds, and owes the rest: otherwise that many would never be granted.
   * @param now milliseconds of a monotonic clock. @returns whether as many tokens were left
   */
  take(key: string, now: number = performance.now(), tokens = 1): boolean {
    const bucket = this.#refilled(key, now);
    if (bucket.tokens < Math.min(tokens, this.#capacity)) return false;
    bucket.tokens -= tokens;
    if (this.#onTaken) this.#record(key, bucket, tokens, this.#onTaken);
    return true;
  }

  /** @param wanted tokens that are waited for */
  left(key: string, now: number = performance.now(), wanted = 1): Left {
    const bucket = this.#buckets.get(key);
    const tokens = bucket ? this.#tokens(bucket, now) : this.#capacity;
    const missing = Math.max(0, Math.min(wanted, this.#capacity) - tokens);
    return { tokens: Math.max(0, Math.floor(tokens)), waitSeconds: missing / (this.rate * this.#share) };
  }

  /**
   * @param onTaken present while other processes are reachable
   * @param share of the rate that may be granted here
   */
  peersChanged(onTaken: OnTaken | undefined, share: number, now: number = performance.now()): void {
    // What could not be sent is not sent later: each process granted no more than its share.
    if (!onTaken) this.#dropUnsent();
    this.#onTaken = onTaken;
    if (share === this.#share) return;
    // The refill so far is by the old share; what remains is divided among the processes that shared the bucket.
    const part = Math.min(1, share / this.#share);
    for (const bucket of this.#buckets.values()) {
      this.#refill(bucket, now);
      if (bucket.tokens > 0) bucket.tokens *= part;
    }
    this.#share = share;
  }

  /** Tokens taken here since the last call, the most first, for as many keys as `fits` accepts. */
  takeUnsent(fits: (key: string, taken: number) => boolean): void {
    const ranked = [...this.#unsent].sort(([, one], [, other]) => other.taken - one.taken);
    for (const [key, bucket] of ranked) {
      if (!fits(key, bucket.taken)) break;
      bucket.taken = 0;
      this.#unsent.delete(key);
    }
    if (this.#unsent.size > 0) this.#onTaken?.(false);
  }

  /**
   * Another process took some; more than it can have granted between two messages nobody took. The bound is on what
   * others add: a deeper debt of our own is never forgiven.
   */
  takenElsewhere(key: string, tokens: number, now: number = performance.now()): void {
    if (tokens > MAX_DEBT_SECONDS * this.rate + MAX_OF_REQUEST) return;
    const bucket = this.#refilled(key, now);
    const deepest = Math.min(bucket.tokens, -Math.max(MAX_DEBT_SECONDS * this.rate, tokens));
    bucket.tokens = Math.max(bucket.tokens - tokens, deepest);
  }

  #refilled(key: string, now: number): Bucket {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size >= MAX_BUCKETS) this.#makeRoom(now);
      this.#buckets.set(key, (bucket = { tokens: this.#capacity, at: now, taken: 0 }));
    }
    this.#refill(bucket, now);
    return bucket;
  }

  #refill(bucket: Bucket, now: number): void {
    bucket.tokens = this.#tokens(bucket, now);
    bucket.at = now;
  }

  #tokens({ tokens, at }: Bucket, now: number): number {
    return Math.min(this.#capacity, tokens + ((now - at) / 1000) * this.rate * this.#share);
  }

  get #capacity(): number {
    return Math.max(1, this.rate * this.#share);
  }

  #record(key: string, bucket: Bucket, tokens: number, onTaken: OnTaken): void {
    const before = bucket.taken;
    bucket.taken += tokens;
    if (before === 0) this.#unsent.set(key, bucket);
    const isUrgent = bucket.taken >= this.#urgentAt;
    if (before === 0 || (isUrgent && before < this.#urgentAt)) onTaken(isUrgent);
  }

  #dropUnsent(): void {
    for (const bucket of this.#unsent.values()) bucket.taken = 0;
    this.#unsent.clear();
  }

  /** The most used buckets stay; a full one is the same as a new one. */
  #makeRoom(now: number): void {
    keepHalf(this.#buckets, MAX_BUCKETS, (bucket) => -this.#tokens(bucket, now));
  }
}
