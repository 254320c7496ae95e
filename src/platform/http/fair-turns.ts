import { Overloaded } from '../errors/index.js';

export interface TurnBounds {
  /** Under way at once. */
  readonly atOnce: number;
  /** Of one caller under way at once, where each may take long. Default: as many as of all. */
  readonly atOnceOfOne?: number;
  /** Waiting at once, of all callers together. */
  readonly waiting: number;
  /** How long anybody waits. */
  readonly waitMs: number;
}

interface Waiting {
  readonly go: () => void;
  readonly refuse: () => void;
  readonly timer: NodeJS.Timeout;
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
  readonly #underWayOf = new Map<string, number>();

  constructor(private readonly bounds: TurnBounds) {}

  /**
   * @param caller whose line it waits in
   * @throws Overloaded when its turn does not come
   */
  async take<T>(caller: string, work: () => Promise<T>): Promise<T> {
    if (this.#isFree(caller)) this.#count(caller, 1);
    else await this.#wait(caller);
    try {
      return await work();
    } finally {
      this.#count(caller, -1);
      this.#next();
    }
  }

  #isFree(caller: string): boolean {
    const { atOnce, atOnceOfOne = atOnce } = this.bounds;
    return this.#underWay < atOnce && (this.#underWayOf.get(caller) ?? 0) < atOnceOfOne;
  }

  #count(caller: string, change: 1 | -1): void {
    this.#underWay += change;
    const own = (this.#underWayOf.get(caller) ?? 0) + change;
    if (own === 0) this.#underWayOf.delete(caller);
    else this.#underWayOf.set(caller, own);
  }

  #wait(caller: string): Promise<void> {
    return new Promise((go, reject) => {
      const line = this.#lines.get(caller) ?? [];
      const refuse = () => reject(new Overloaded('Too many ask for this at once.'));
      const timer = setTimeout(() => this.#leave(caller, one), this.bounds.waitMs).unref();
      const one = { go, refuse, timer };
      this.#lines.set(caller, line);
      line.push(one);
      this.#waiting += 1;
      if (this.#waiting > this.bounds.waiting) this.#shorten();
    });
  }

  /** The turn goes to the line that waited longest for one, and that line to the end. */
  #next(): void {
    for (const [caller, line] of this.#lines) {
      if (!this.#isFree(caller)) continue;
      const one = line[0]!;
      this.#lines.delete(caller);
      this.#lines.set(caller, line);
      this.#remove(caller, one);
      this.#count(caller, 1);
      // Whoever else has something to do in this turn of the loop does it first: commands above all.
      setImmediate(one.go);
      return;
    }
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

  /** From here on its time cannot run out: whoever was called is not also refused. */
  #remove(caller: string, one: Waiting): void {
    clearTimeout(one.timer);
    const line = this.#lines.get(caller)!;
    line.splice(line.indexOf(one), 1);
    if (line.length === 0) this.#lines.delete(caller);
    this.#waiting -= 1;
  }
}
