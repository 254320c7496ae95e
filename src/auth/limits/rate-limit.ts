import type { FastifyReply } from 'fastify';
import { TooManyRequests } from '../../platform/errors/index.js';
import { type Left, TokenBuckets } from './token-buckets.js';

/**
 * A limit that its answers tell of, by the fields of draft-ietf-httpapi-ratelimit-headers-11 (structured fields,
 * RFC 9651): `RateLimit-Policy` is what is given, `RateLimit` what is left.
 */
export class RateLimit {
  readonly #buckets: TokenBuckets | undefined;

  /**
   * @param policy its name in the fields
   * @param rate requests a second; 0 is no limit
   * @param whose completes the refusal: "At most 20 … a second"
   */
  constructor(
    private readonly policy: string,
    private readonly rate: number,
    private readonly whose: string,
  ) {
    this.#buckets = rate === 0 ? undefined : new TokenBuckets(rate);
  }

  /** Headers that every answer of its routes has, whoever asks. */
  get headers(): Readonly<Record<string, string>> {
    return this.#buckets ? { 'ratelimit-policy': `"${this.policy}";q=${this.rate};w=1` } : {};
  }

  /** Counts one request. @throws TooManyRequests when nothing is left */
  take(key: string, reply: FastifyReply): void {
    if (!this.#buckets) return;
    const taken = this.#buckets.take(key);
    const seconds = this.#tell(this.#buckets.left(key), reply);
    if (!taken) throw new TooManyRequests(`At most ${this.rate} ${this.whose}.`, seconds);
  }

  /** Tells what is left, and counts nothing. */
  show(key: string, reply: FastifyReply): void {
    if (this.#buckets) this.#tell(this.#buckets.left(key), reply);
  }

  /** @returns the seconds that what is left is for */
  #tell({ tokens, waitSeconds }: Left, reply: FastifyReply): number {
    const seconds = Math.max(1, Math.ceil(waitSeconds));
    void reply.header('ratelimit', `"${this.policy}";r=${tokens};t=${seconds}`);
    return seconds;
  }
}
