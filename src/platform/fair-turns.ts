import { Overloaded } from './errors/index.js';

export interface TurnBounds {
  /** Concurrent tasks. */
  readonly atOnce: number;
  /** Concurrent tasks of one caller, where each may take long. Default: as many as of all. */
  readonly atOnceOfOne?: number;
  /** Waiting tasks of all callers. */
  readonly waiting: number;
  /** The longest wait. */
  readonly waitMs: number;
}

interface Waiting {
  readonly go: () => void;
  readonly refuse: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Limits concurrent work and shares it fairly: each caller has a queue, and the queues take turns. When no more can
 * wait, the last task of the longest queue is refused.
 */
export class FairTurns {
  /** In round-robin order; none is empty. */
  readonly #lines = new Map<string, Waiting[]>();
  #waiting = 0;
  #underWay = 0;
  readonly #underWayOf = new Map<string, number>();

  constructor(private readonly bounds: TurnBounds) {}

  /**
   * @param caller whose queue it waits in
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
      const refuse = () => reject(new Overloaded('Too many requests for this are waiting. Try again.'));
      const timer = setTimeout(() => this.#leave(caller, one), this.bounds.waitMs).unref();
      const one = { go, refuse, timer };
      this.#lines.set(caller, line);
      line.push(one);
      this.#waiting += 1;
      if (this.#waiting > this.bounds.waiting) this.#shorten();
    });
  }

  /** Takes a task from the first queue, and moves that queue to the end. */
  #next(): void {
    for (const [caller, line] of this.#lines) {
      if (!this.#isFree(caller)) continue;
      const one = line[0]!;
      this.#lines.delete(caller);
      this.#lines.set(caller, line);
      this.#remove(caller, one);
      this.#count(caller, 1);
      // Other work of this event-loop turn goes first, commands above all.
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

  /** Its wait can no longer time out: a started task is not refused as well. */
  #remove(caller: string, one: Waiting): void {
    clearTimeout(one.timer);
    const line = this.#lines.get(caller)!;
    line.splice(line.indexOf(one), 1);
    if (line.length === 0) this.#lines.delete(caller);
    this.#waiting -= 1;
  }
}

/**
 * Turns of pages that take milliseconds of the thread.
 * @param atOnceOfOne so many of one reader may stand before each step of everybody's requests
 */
export function turnsOfPages(atOnceOfOne: number): FairTurns {
  return new FairTurns({ atOnce: 64, atOnceOfOne, waiting: 256, waitMs: 3_000 });
}
