/** Requests keep a process busy with so many commands a second, and its event loop in use for this part of the time. */
const PER_SECOND = 200;
const IN_USE = 0.8;
/** A shorter time says nothing. */
const LOOK_MS = 50;

/** What requests ask of this process, for work that gives way to them. */
export class Demand {
  #since = performance.now();
  #loop = performance.eventLoopUtilization();
  #asked: number;
  #isHigh = false;

  /** @param asked commands that somebody waits for, counted since the start */
  constructor(private readonly asked: () => number) {
    this.#asked = asked();
  }

  /** Whether requests have kept the process busy since the last look. */
  isHigh(): boolean {
    const ms = performance.now() - this.#since;
    if (ms < LOOK_MS) return this.#isHigh;
    const { utilization } = performance.eventLoopUtilization(this.#loop);
    const asked = this.asked();
    this.#isHigh = utilization >= IN_USE && (asked - this.#asked) * 1_000 >= PER_SECOND * ms;
    [this.#since, this.#loop, this.#asked] = [performance.now(), performance.eventLoopUtilization(), asked];
    return this.#isHigh;
  }
}
