import type { Demand } from './demand.js';

/** Items of a source that begin while requests keep the process busy, until the oldest is late. */
const LEAST_PER_SECOND = 128;
const MOST_PER_SECOND = 4_096;
/** So many are begun at once, in milliseconds of the pace. */
const STEP_MS = 250;
/** Less with each look at a busy process, more with each look at one that has time left. */
const SLOWER = 0.5;
const FASTER = 1.5;
/** Nothing waits for much longer: with each second beyond this, twice as many begin at least. */
const LATE_MS = 5_000;
/** The same where requests of many and files alone keep the process busy: most of what waits is their own. */
const LATE_OF_MANY_MS = 30_000;

/** How the items of one source begin that give way to requests. */
export class Pace {
  #perSecond = LEAST_PER_SECOND;
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
    const { all: pressure, single } = this.demand.look();
    if (pressure === 'none') {
      this.#perSecond = LEAST_PER_SECOND;
      return wanted;
    }
    const lateFrom = single === 'none' ? LATE_OF_MANY_MS : LATE_MS;
    const lateSeconds = Math.max(0, Date.now() - oldest.getTime() - lateFrom) / 1_000;
    const next = this.#perSecond * (pressure === 'busy' ? SLOWER : FASTER);
    this.#perSecond = Math.min(MOST_PER_SECOND, Math.max(LEAST_PER_SECOND * 2 ** lateSeconds, next));
    const few = Math.min(wanted, Math.ceil((this.#perSecond * STEP_MS) / 1_000));
    this.#restsUntil = performance.now() + (few * 1_000) / this.#perSecond;
    return few;
  }
}
