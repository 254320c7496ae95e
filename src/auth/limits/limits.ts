import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { type Config, CONFIG } from '../../platform/config/index.js';
import { headersOf } from '../../platform/http/index.js';
import { CountExchange } from '../exchange/count-exchange.js';
import { RateLimit } from './rate-limit.js';

export const PARTNERS = '/partners-int/';
const LOGIN = `${PARTNERS}login`;

/** Whether a route wants a partner's token. */
export const isOfPartners = (url: string) => url.startsWith(PARTNERS) && url !== LOGIN;

/** The limits of partners' routes. */
@Injectable()
export class Limits {
  /** Requests of one access key. */
  readonly requests: RateLimit;
  /**
   * Logins of one network, whatever keys they name: a login costs a statement before the caller is known. The entry
   * point counts failures of one key; this also limits a caller who tries many keys.
   */
  readonly logins: RateLimit;
  /**
   * Tests and redeliveries of webhooks that one partner asks for, by whichever of its keys: each costs an event,
   * attempts for days, and a probe of a receiver whose circuit is open.
   */
  readonly webhooks: RateLimit;

  constructor(
    @Inject(CONFIG) { rateLimitPerSecond, loginRateLimitPerSecond, webhooks }: Config,
    exchange: CountExchange,
  ) {
    this.requests = new RateLimit('key', rateLimitPerSecond, 'requests a second for one access key', exchange);
    this.logins = new RateLimit('login', loginRateLimitPerSecond, 'logins a second from one address', exchange);
    const ofPartner = 'tests and redeliveries a second for one partner';
    this.webhooks = new RateLimit('webhooks', webhooks.requestsPerSecond, ofPartner, exchange);
  }

  /** Adds the policy to all answers of limited routes, also to refusals before the caller is known. */
  addHeaders(fastify: FastifyInstance): void {
    headersOf(fastify, (url) => url === LOGIN, this.logins.headers);
    headersOf(fastify, isOfPartners, this.requests.headers);
  }
}
