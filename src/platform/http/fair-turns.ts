import { Overloaded } from '../errors/index.js';

export interface TurnBounds {
  /** Under way at once. */
  readonly atOnce: number;
  /** Waiting at once, of all callers together. */
  readonly waiting: number;
  /** How long anybody waits. */
  readonly waitMs: number;
}

interface Waiting {
  readonly go: () => void;
  readonly refuse: () => void;
}

/**
 * Bounds work that many may ask for, and shares it fairly: callers have a line each, and the lines take turns. Where no
 * more can wait, the last of the longest line is refused.
 */
export class FairTurns {
  /** In the order of their turns; none is empty. */
  readonly #lines = new Map<string, Waiting[]>();
  #waiting = 0;
  #underWay = 0;

  constructor(private readonly bounds: TurnBounds) {}

  /**
   * @param caller whose line it waits in
   * @throws Overloaded when its turn does not come
   */
  async take<T>(caller: string, work: () => Promise<T>): Promise<T> {
    if (this.#underWay < this.bounds.atOnce) this.#underWay += 1;
    else await this.#wait(caller);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #wait(caller: string): Promise<void> {
    return new Promise((go, reject) => {
      const line = this.#lines.get(caller) ?? [];
      const refuse = () => {
        clearTimeout(timer);
        reject(new Overloaded('Too many ask for this at once.'));
      };
      const timer = setTimeout(() => this.#leave(caller, one), this.bounds.waitMs).unref();
      const one = { go: () => (clearTimeout(timer), go()), refuse };
      this.#lines.set(caller, line);
      line.push(one);
      this.#waiting += 1;
      if (this.#waiting > this.bounds.waiting) this.#shorten();
    });
  }

  /** The turn goes to the line that waited longest for one, and that line to the end. */
  #next(): void {
    const [first] = this.#lines;
    if (!first) {
      this.#underWay -= 1;
      return;
    }
    const [caller, line] = first;
    const one = line[0]!;
    this.#lines.delete(caller);
    this.#lines.set(caller, line);
    this.#remove(caller, one);
    // Whoever else has something to do in this turn of the loop does it first: commands above all.
    setImmediate(one.go);
  }

  #shorten(): void {
    let [longest, most] = ['', [] as Waiting[]];
    for (const [caller, line] of this.#lines) if (line.length >= most.length) [longest, most] = [caller, line];
    this.#leave(longest, most.at(-1)!);
  }

  #leave(caller: string, one: Waiting): void {
    this.#remove(caller, one);
    one.refuse();
  }

  #remove(caller: string, one: Waiting): void {
    const line = this.#lines.get(caller)!;
    line.splice(line.indexOf(one), 1);
    if (line.length === 0) this.#lines.delete(caller);
    this.#waiting -= 1;
  }
}
