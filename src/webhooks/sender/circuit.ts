/** Consecutive failures that open the circuit. */
const THRESHOLD = 20;
/** Wait before the first probe; it doubles with each failed probe. Short compared with the schedule's steps. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * A circuit breaker. Closed, it admits everything. After consecutive failures it opens and admits one probe at a time,
 * each after a longer wait, until one succeeds. Times are milliseconds of one clock.
 */
export class Circuit {
  #failures = 0;
  #wait = FIRST_WAIT_MS;
  #probeAt: number | undefined;
  #since = 0;
  #probing = false;

  get open(): boolean {
    return this.#probeAt !== undefined;
  }

  /** When it opened; meaningless while it is closed. */
  get since(): number {
    return this.#since;
  }

  /**
   * When the next probe may be sent; `undefined` while the circuit is closed, infinity while a probe is in progress.
   */
  get probeAt(): number | undefined {
    return this.#probing ? Number.POSITIVE_INFINITY : this.#probeAt;
  }

  /** Whether an attempt may begin now. */
  admits(now: number): boolean {
    return this.#probeAt === undefined || (!this.#probing && this.#probeAt <= now);
  }

  /** An attempt begins: with the circuit open it is the probe. */
  begin(): void {
    if (this.open) this.#probing = true;
  }

  /** The attempt was inconclusive about the receiver: the sender closed, or nothing was sent. */
  abandon(): void {
    this.#probing = false;
  }

  /** A redelivery was requested: the next probe may be sent at once. */
  hurry(now: number): void {
    if (this.open) this.#probeAt = Math.min(this.#probeAt!, now);
  }

  succeed(): void {
    this.#failures = 0;
    this.#wait = FIRST_WAIT_MS;
    this.#probeAt = undefined;
    this.#probing = false;
  }

  /** A failure of an attempt that began before the circuit opened does not lengthen the wait. */
  fail(now: number): void {
    this.#failures += 1;
    if (this.open && !this.#probing) return;
    if (!this.open && this.#failures < THRESHOLD) return;
    if (!this.open) this.#since = now;
    this.#probing = false;
    this.#probeAt = now + this.#wait;
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }
}
