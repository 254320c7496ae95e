const KEPT_MS = 12 * 3_600_000;
/** How often it is worth saying that one is still right. */
const NEWS_MS = 3_600_000;
const MOST_ENTRIES = 10_000;

/**
 * Credentials that were right from an address, for half a day after they last were. Only who has a right one makes an
 * entry, so guesses push nothing out.
 */
export class RightCredentials {
  /** When each was last known to be right, in that order. */
  readonly #at = new Map<string, number>();

  has(key: string, now: number = performance.now()): boolean {
    const at = this.#at.get(key);
    return at !== undefined && now - at < KEPT_MS;
  }

  /** @returns whether that is news */
  add(key: string, now: number = performance.now()): boolean {
    const before = this.#at.get(key);
    if (before !== undefined && now - before < NEWS_MS) return false;
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
