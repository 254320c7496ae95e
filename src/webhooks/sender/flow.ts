import { Circuit } from './circuit.js';

/** Concurrent attempts to an unknown receiver: a dead one holds no more until they have timed out. */
export const FIRST_LIMIT = 4;

/** A receiver that answers within this time may have the maximum; a slower one has less. */
const FAST_MS = 1_000;
/** Weight of the previous duration in the moving average. */
const DECAY = 0.8;

/**
 * The concurrency limit of one receiver: it starts low, grows by one with each success and halves with each failure.
 * Slow responses lower it too (Little's law: the maximum, for a second each), down to that of an unknown receiver. One
 * slow response counts at once; many fast ones are needed to outweigh it.
 */
export class Flow {
  readonly circuit = new Circuit();
  #inFlight = 0;
  #limit = FIRST_LIMIT;
  #takes = 0;
  /** The last use; milliseconds. */
  usedAt = 0;

  constructor(private readonly most: number) {}

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Attempts that may begin now. */
  free(now: number): number {
    if (this.circuit.open) return this.circuit.admits(now) && this.#inFlight === 0 ? 1 : 0;
    const slow = Math.floor((this.most * FAST_MS) / Math.max(this.#takes, FAST_MS));
    return Math.max(0, Math.min(this.#limit, Math.max(slow, FIRST_LIMIT)) - this.#inFlight);
  }

  /** Milliseconds that an attempt takes: a moving average that follows a longer one at once. */
  get takes(): number {
    return this.#takes;
  }

  /** No attempt is in progress and the circuit is closed: it may be evicted. */
  get idle(): boolean {
    return this.#inFlight === 0 && !this.circuit.open;
  }

  begin(now: number): void {
    this.usedAt = now;
    this.#inFlight += 1;
    this.circuit.begin();
  }

  /** @param alive `undefined`: the attempt was inconclusive. @param took milliseconds */
  end(alive: boolean | undefined, now: number, took: number): void {
    this.usedAt = now;
    this.#inFlight -= 1;
    if (alive !== undefined) this.#takes = Math.max(took, DECAY * this.#takes + (1 - DECAY) * took);
    if (alive === undefined) {
      this.circuit.abandon();
    } else if (alive) {
      this.#limit = Math.min(this.#limit + 1, this.most);
      this.circuit.succeed();
    } else {
      this.#limit = Math.max(1, Math.floor(this.#limit / 2));
      this.circuit.fail(now);
    }
  }
}
