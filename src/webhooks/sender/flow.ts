import { Circuit } from './circuit.js';

/** What an unknown receiver may hold at once: a dead one holds no more until its attempts have timed out. */
export const FIRST_LIMIT = 4;

/** What attempts to one receiver may hold at once: little at first, more with each answer, half with each failure. */
export class Flow {
  readonly circuit = new Circuit();
  #inFlight = 0;
  #limit = FIRST_LIMIT;
  /** When something last happened; milliseconds. */
  usedAt = 0;

  constructor(private readonly most: number) {}

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Attempts that may begin now. */
  free(now: number): number {
    if (this.circuit.open) return this.circuit.admits(now) && this.#inFlight === 0 ? 1 : 0;
    return Math.max(0, this.#limit - this.#inFlight);
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

  /** `undefined`: the attempt said nothing of the receiver. */
  end(alive: boolean | undefined, now: number): void {
    this.usedAt = now;
    this.#inFlight -= 1;
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
