const KEPT_MS = 12 * 3_600_000;
/** How often other processes are notified that one is still valid. */
const RENEW_MS = 3_600_000;
const MOST_ENTRIES = 10_000;

/**
 * Credentials that were valid from a network, for half a day after their last use. Only a valid one makes an entry, so
 * guesses evict nothing.
 */
export class ValidCredentials {
  /** When each was last known to be valid, in that order. */
  readonly #at = new Map<string, number>();

  has(key: string): boolean {
    const at = this.#at.get(key);
    return at !== undefined && performance.now() - at < KEPT_MS;
  }

  /** @returns whether other processes should be notified */
  add(key: string): boolean {
    const now = performance.now();
    const before = this.#at.get(key);
    if (before !== undefined && now - before < RENEW_MS) return false;
    this.#at.delete(key);
    this.#at.set(key, now);
    if (this.#at.size > MOST_ENTRIES) this.#at.delete(this.#at.keys().next().value!);
    return true;
  }

  /** The newest first. */
  keys(): string[] {
    return [...this.#at.keys()].reverse();
  }
}
