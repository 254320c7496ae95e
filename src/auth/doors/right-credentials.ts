const KEPT_MS = 12 * 3_600_000;
const MOST_ENTRIES = 10_000;

/**
 * Credentials that were right from an address, for half a day after they last were. Only who has a right one makes an
 * entry, so guesses push nothing out.
 */
export class RightCredentials {
  /** In the order of their last success. */
  readonly #until = new Map<string, number>();

  has(key: string, now: number = performance.now()): boolean {
    return (this.#until.get(key) ?? 0) > now;
  }

  add(key: string, now: number = performance.now()): void {
    this.#until.delete(key);
    this.#until.set(key, now + KEPT_MS);
    if (this.#until.size > MOST_ENTRIES) this.#until.delete(this.#until.keys().next().value!);
  }
}
