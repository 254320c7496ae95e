/** Failures in a row after which a receiver is taken for dead. */
const THRESHOLD = 20;
/** Wait before the first probe; it doubles with each probe that fails. Short beside the schedule's steps. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

/**
 * A circuit breaker: closed, it lets everything through; after some failures in a row it opens, and from then on lets
 * one probe through at a time, each after a longer wait, until one succeeds. Times are milliseconds of one clock.
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

  /** When it opened; of use only while it is open. */
  get since(): number {
    return this.#since;
  }

  /** When the next probe may go; `undefined` while the circuit is closed. A probe under way holds the next back. */
  get probeAt(): number | undefined {
    return this.#probing ? Number.POSITIVE_INFINITY : this.#probeAt;
  }

  /** Whether something may be sent now. */
  admits(now: number): boolean {
    return this.#probeAt === undefined || (!this.#probing && this.#probeAt <= now);
  }

  /** Something is being sent: with the circuit open it is the probe. */
  begin(): void {
    if (this.open) this.#probing = true;
  }

  /** What was sent said nothing of the receiver (the sender closed, or the receiver answered a fault of the message). */
  abandon(): void {
    this.#probing = false;
  }

  /** Somebody says that it works again: the next probe may go at once. */
  hurry(now: number): void {
    if (this.open) this.#probeAt = Math.min(this.#probeAt!, now);
  }

  succeed(): void {
    this.#failures = 0;
    this.#wait = FIRST_WAIT_MS;
    this.#probeAt = undefined;
    this.#probing = false;
  }

  /** A failure of something that was sent before the circuit opened does not lengthen the wait. */
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
