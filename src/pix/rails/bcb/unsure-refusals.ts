/** What ended elsewhere is forgotten after this. */
const MEMORY_MS = 60 * 60_000;

/**
 * Refusals of what an earlier attempt asked for too. That attempt may have been accepted, and its answer lost: the
 * refusal is then only for the repetition. So it is final only once the PSP has refused the request and not found it
 * for longer than its look-up may lag. A new process begins to count again.
 */
export class UnsureRefusals {
  /** When the first refusal came. */
  readonly #since = new Map<string, number>();

  /** @param now milliseconds, monotonic */
  constructor(
    private readonly longestLagMs: number,
    private readonly now = () => performance.now(),
  ) {}

  /** The PSP refused the request once more, and its look-up does not find it. */
  isFinal(id: string): boolean {
    const now = this.now();
    for (const [one, since] of this.#since) if (now - since > MEMORY_MS) this.#since.delete(one);
    const since = this.#since.get(id) ?? now;
    this.#since.set(id, since);
    return now - since >= this.longestLagMs;
  }

  /** The outcome of an attempt is unknown again: it may have been accepted. */
  forget(id: string): void {
    this.#since.delete(id);
  }
}
