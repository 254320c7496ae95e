import { Inject, Injectable } from '@nestjs/common';
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { type Config, CONFIG } from '../../../platform/config/index.js';
import { TooManyRequests } from '../../../platform/errors/index.js';
import { TokenBuckets } from '../../token-buckets.js';

/**
 * Bounds the logins of one address, whatever keys they name: a login costs a statement before anybody is known. The
 * lock-out counts failures of one key; this also stops who tries many keys. A session's cookie and an auditor's
 * credential cost one keyed read too, which no limit bounds: their bits are too many to be tried (docs/security.md).
 */
@Injectable()
export class LoginLimiter {
  readonly #buckets: TokenBuckets;

  constructor(@Inject(CONFIG) { loginRateLimitPerSecond }: Config) {
    this.#buckets = new TokenBuckets(loginRateLimitPerSecond);
  }

  /** @throws TooManyRequests when the address has used up its logins */
  take(address: string): void {
    if (this.#buckets.take(networkOf(address))) return;
    throw new TooManyRequests(`At most ${this.#buckets.rate} logins a second from one address.`, 1);
  }
}

/** One customer has a whole /64 of IPv6 (RFC 6177): its addresses count as one. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
