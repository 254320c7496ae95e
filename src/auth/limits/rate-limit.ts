import type { FastifyReply } from 'fastify';
import { TooManyRequests } from '../../platform/errors/index.js';
import type { CountExchange, SharedCount } from '../exchange/count-exchange.js';
import { pack, unpack } from '../exchange/wire.js';
import { type Left, TokenBuckets } from './token-buckets.js';

/**
 * A rate limit, reported in answers by the fields of draft-ietf-httpapi-ratelimit-headers-11 (structured fields,
 * RFC 9651): `RateLimit-Policy` has the quota, `RateLimit` what remains.
 */
export class RateLimit implements SharedCount {
  readonly #buckets: TokenBuckets | undefined = undefined;
  readonly #policy: string;

  /**
   * @param name of its policy in the fields, and of its count between processes
   * @param rate requests a second; 0 is no limit
   * @param whose completes the refusal: "At most 20 … a second"
   */
  constructor(
    readonly name: string,
    private readonly rate: number,
    private readonly whose: string,
    private readonly exchange: CountExchange,
  ) {
    this.#policy = `"${name}";q=${rate};w=1`;
    if (rate === 0) return;
    this.#buckets = new TokenBuckets(rate);
    exchange.register(this);
  }

  /** Headers of every answer of its routes, whoever calls. */
  get headers(): Readonly<Record<string, string>> {
    return this.#buckets ? { 'ratelimit-policy': this.#policy } : {};
  }

  /**
   * Counts requests: all of them or, refused, one of several. They have been read, so that who goes on sending more
   * than is left comes to its end.
   * @throws TooManyRequests when fewer are left, and less than a second's
   */
  take(key: string, reply: FastifyReply, requests = 1): void {
    if (!this.#buckets) return;
    const taken = this.#buckets.take(key, performance.now(), requests);
    if (!taken && requests > 1) this.#buckets.take(key);
    const seconds = this.#report(this.#buckets.left(key, performance.now(), taken ? 1 : requests), reply);
    if (taken) return;
    const items = requests === 1 ? '' : ` The ${requests} items of this one count as ${requests}.`;
    throw this.#refusal(seconds, items);
  }

  /** Counts nothing. @throws TooManyRequests when none is left */
  check(key: string, reply: FastifyReply): void {
    if (!this.#buckets) return;
    const left = this.#buckets.left(key);
    const seconds = this.#report(left, reply);
    if (left.tokens === 0) throw this.#refusal(seconds);
  }

  /** Reports what remains, and counts nothing. */
  show(key: string, reply: FastifyReply): void {
    if (this.#buckets) this.#report(this.#buckets.left(key), reply);
  }

  takeUnsent(maxCharacters: number): string | undefined {
    return pack(maxCharacters, (add) => this.#buckets?.takeUnsent((key, taken) => add(key, taken)));
  }

  receive(payload: string): void {
    for (const [key, taken] of unpack(payload)) this.#buckets?.takenElsewhere(key, taken);
  }

  peersChanged(hasPeers: boolean, share: number): void {
    this.#buckets?.peersChanged(hasPeers ? (urgent) => this.exchange.schedule(urgent) : undefined, share);
  }

  /** A route may have several limits: each is a member of the lists. */
  #add(reply: FastifyReply, field: string, member: string): void {
    const present = reply.getHeader(field);
    if (present === member) return;
    if (present === undefined) return void reply.header(field, member);
    const others = String(present)
      .split(', ')
      .filter((other) => other !== '' && !other.startsWith(`"${this.name}"`));
    void reply.header(field, [...others, member].join(', '));
  }

  #refusal(seconds: number, items = ''): TooManyRequests {
    return new TooManyRequests(`At most ${this.rate} ${this.whose}.${items}`, seconds);
  }

  /** @returns the seconds for which that holds */
  #report({ tokens, waitSeconds }: Left, reply: FastifyReply): number {
    const seconds = Math.max(1, Math.ceil(waitSeconds));
    this.#add(reply, 'ratelimit', `"${this.name}";r=${tokens};t=${seconds}`);
    this.#add(reply, 'ratelimit-policy', this.#policy);
    return seconds;
  }
}
