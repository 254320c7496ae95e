import type { Demand } from './demand.js';

/** While requests keep the process busy, so many items of a source begin in this time. */
const MODEST = { items: 32, ms: 250 };
/** Nothing gives way for longer. */
const LATE_MS = 5_000;

/** How the items of one source begin that give way to requests. */
export class Pace {
  /** By the monotonic clock. */
  #restsUntil = 0;

  constructor(private readonly demand: Demand) {}

  get isResting(): boolean {
    return performance.now() < this.#restsUntil;
  }

  /**
   * @param wanted items for which there are slots
   * @param oldest when the oldest of them was due
   * @returns how many of them begin now
   */
  begin(wanted: number, oldest: Date): number {
    if (Date.now() - oldest.getTime() > LATE_MS || !this.demand.isHigh()) return wanted;
    const few = Math.min(wanted, MODEST.items);
    this.#restsUntil = performance.now() + (few * MODEST.ms) / MODEST.items;
    return few;
  }
}
