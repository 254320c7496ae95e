import { Injectable } from '@nestjs/common';
import { TooManyRequests } from '../../../platform/errors/index.js';

const FAILURES = 10;
const FIRST_SECONDS = 30;
const LONGEST_SECONDS = 3600;
const FORGET_MS = 2 * LONGEST_SECONDS * 1000;
const MAX_ENTRIES = 50_000;

interface Failures {
  count: number;
  lockedUntil: number;
  last: number;
}

/**
 * Slows down guessing: after ten failures in a row for one key and address, logins are refused for a while
 * that doubles with each further failure, up to an hour. Counted in this process.
 */
@Injectable()
export class LockOut {
  readonly #failures = new Map<string, Failures>();

  /** @throws TooManyRequests while the key is locked for this address */
  assertOpen(accessKey: string, address: string, now: number = performance.now()): void {
    const failures = this.#failures.get(`${accessKey} ${address}`);
    if (!failures || failures.lockedUntil <= now) return;
    throw new TooManyRequests(
      'Too many failed logins. Try again later.',
      Math.ceil((failures.lockedUntil - now) / 1000),
    );
  }

  failed(accessKey: string, address: string, now: number = performance.now()): void {
    const id = `${accessKey} ${address}`;
    if (this.#failures.size >= MAX_ENTRIES) this.#dropOld(now);
    const before = this.#failures.get(id);
    const count = before && now - before.last < FORGET_MS ? before.count + 1 : 1;
    const seconds = count < FAILURES ? 0 : Math.min(FIRST_SECONDS * 2 ** (count - FAILURES), LONGEST_SECONDS);
    this.#failures.delete(id);
    this.#failures.set(id, { count, lockedUntil: now + seconds * 1000, last: now });
  }

  succeeded(accessKey: string, address: string): void {
    this.#failures.delete(`${accessKey} ${address}`);
  }

  /** The map is in order of the last failure: the oldest go first, and never more than half of it. */
  #dropOld(now: number): void {
    for (const [id, { last }] of this.#failures) {
      if (now - last < FORGET_MS && this.#failures.size <= MAX_ENTRIES / 2) break;
      this.#failures.delete(id);
    }
  }
}
