import { Circuit } from './circuit.js';

/** What an unknown receiver may hold at once: a dead one holds no more until its attempts have timed out. */
export const FIRST_LIMIT = 4;

/** A receiver that keeps its attempts no longer than this may hold the most; one that keeps them longer, the less. */
const BRISK_MS = 1_000;
/** What a quick answer leaves of the memory of a slow one. */
const MEMORY = 0.8;

/**
 * What attempts to one receiver may hold at once: little at first, more with each answer, half with each failure. It is
 * a part of what its answers take too (Little's law: the most, for a second each), down to what an unknown one has. One
 * slow answer tells at once, and many quick ones are needed to make up for it.
 */
export class Flow {
  readonly circuit = new Circuit();
  #inFlight = 0;
  #limit = FIRST_LIMIT;
  #takes = 0;
  /** When something last happened; milliseconds. */
  usedAt = 0;

  constructor(private readonly most: number) {}

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Attempts that may begin now. */
  free(now: number): number {
    if (this.circuit.open) return this.circuit.admits(now) && this.#inFlight === 0 ? 1 : 0;
    const slow = Math.floor((this.most * BRISK_MS) / Math.max(this.#takes, BRISK_MS));
    return Math.max(0, Math.min(this.#limit, Math.max(slow, FIRST_LIMIT)) - this.#inFlight);
  }

  /** Milliseconds that an attempt takes: the longest of late, less with each that takes less. */
  get takes(): number {
    return this.#takes;
  }

  /** Nothing is under way and nothing is held against it: it may be forgotten. */
  get idle(): boolean {
    return this.#inFlight === 0 && !this.circuit.open;
  }

  begin(now: number): void {
    this.usedAt = now;
    this.#inFlight += 1;
    this.circuit.begin();
  }

  /** @param alive `undefined`: the attempt said nothing of the receiver. @param took milliseconds */
  end(alive: boolean | undefined, now: number, took: number): void {
    this.usedAt = now;
    this.#inFlight -= 1;
    if (alive !== undefined) this.#takes = Math.max(took, MEMORY * this.#takes + (1 - MEMORY) * took);
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
