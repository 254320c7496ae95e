import type { FastifyReply } from 'fastify';
import { TooManyRequests } from '../../platform/errors/index.js';
import type { Exchange, SharedCount } from '../exchange/exchange.js';
import { pack, unpack } from '../exchange/wire.js';
import { type Left, TokenBuckets } from './token-buckets.js';

/**
 * A limit that its answers tell of, by the fields of draft-ietf-httpapi-ratelimit-headers-11 (structured fields,
 * RFC 9651): `RateLimit-Policy` is what is given, `RateLimit` what is left.
 */
export class RateLimit implements SharedCount {
  readonly #buckets: TokenBuckets | undefined = undefined;
  readonly #policy: string;

  /**
   * @param name of its policy in the fields, and of its count among processes
   * @param rate requests a second; 0 is no limit
   * @param whose completes the refusal: "At most 20 … a second"
   */
  constructor(
    readonly name: string,
    private readonly rate: number,
    private readonly whose: string,
    private readonly exchange: Exchange,
  ) {
    this.#policy = `"${name}";q=${rate};w=1`;
    if (rate === 0) return;
    this.#buckets = new TokenBuckets(rate);
    exchange.share(this);
  }

  /** Headers that every answer of its routes has, whoever asks. */
  get headers(): Readonly<Record<string, string>> {
    return this.#buckets ? { 'ratelimit-policy': this.#policy } : {};
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

  tell(mostCharacters: number): string | undefined {
    return pack(mostCharacters, (add) => this.#buckets?.untold((key, taken) => add(key, taken)));
  }

  heard(payload: string): void {
    for (const [key, taken] of unpack(payload)) this.#buckets?.takenElsewhere(key, taken);
  }

  between(others: boolean, share: number): void {
    this.#buckets?.between(others ? (urgent) => this.exchange.soon(urgent) : undefined, share);
  }

  /** A route may have several limits: each is a member of the lists. */
  #add(reply: FastifyReply, field: string, member: string): void {
    const told = reply.getHeader(field);
    if (told === member) return;
    if (told === undefined) return void reply.header(field, member);
    const others = String(told)
      .split(', ')
      .filter((other) => other !== '' && !other.startsWith(`"${this.name}"`));
    void reply.header(field, [...others, member].join(', '));
  }

  /** @returns the seconds that what is left is for */
  #tell({ tokens, waitSeconds }: Left, reply: FastifyReply): number {
    const seconds = Math.max(1, Math.ceil(waitSeconds));
    this.#add(reply, 'ratelimit', `"${this.name}";r=${tokens};t=${seconds}`);
    this.#add(reply, 'ratelimit-policy', this.#policy);
    return seconds;
  }
}
