/** How long a lease lasts, and how often who holds it renews it, in milliseconds. */
export const LEASE_MS = 6_000;
export const RENEW_MS = 2_000;
/** For so long after a lease was confirmed nobody else can have taken it; the rest is for late answers. */
const CERTAIN_MS = LEASE_MS - RENEW_MS;

/**
 * A lease as its holder knows it. Another process takes it only when its time is over, and a renewal finds it only
 * where none has: while it is certain, nobody else has begun what it covers. A process that was stopped for a while
 * does not know what others did. All of this is by the database's clock: one that jumps ahead ends leases early.
 */
export class HeldLease {
  #confirmed: Moment;

  /** @param name that fences what the work writes to its row */
  constructor(
    readonly name: string,
    at: Moment = moment(),
  ) {
    this.#confirmed = at;
  }

  /** @param at before the statement that found it held */
  confirm(at: Moment): void {
    this.#confirmed = at;
  }

  get isCertain(): boolean {
    const [monotonic, wall] = this.#confirmed;
    // A suspended machine stops the monotonic clock, and the wall clock may be set back.
    return Math.max(performance.now() - monotonic, Date.now() - wall) < CERTAIN_MS;
  }
}

/** By both clocks, in milliseconds. */
export type Moment = readonly [monotonic: number, wall: number];

export const moment = (): Moment => [performance.now(), Date.now()];
