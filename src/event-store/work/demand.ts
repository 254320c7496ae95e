/** Requests come from so many commands a second, and keep a process busy with its event loop in use for this part. */
const PER_SECOND = 200;
const IN_USE = 0.7;
/** A shorter time says nothing. */
const LOOK_MS = 50;

/** `busy`: requests come, and the event loop has little time left beside them. */
export type Pressure = 'none' | 'some' | 'busy';

/** What requests ask of this process, for work that gives way to them. */
export class Demand {
  #since = performance.now();
  #loop = performance.eventLoopUtilization();
  #asked: number;
  #pressure: Pressure = 'none';

  /** @param asked commands that somebody waits for, counted since the start */
  constructor(private readonly asked: () => number) {
    this.#asked = asked();
  }

  /** Since the last look. */
  look(): Pressure {
    const ms = performance.now() - this.#since;
    if (ms < LOOK_MS) return this.#pressure;
    const { utilization } = performance.eventLoopUtilization(this.#loop);
    const asked = this.asked();
    const come = (asked - this.#asked) * 1_000 >= PER_SECOND * ms;
    this.#pressure = !come ? 'none' : utilization < IN_USE ? 'some' : 'busy';
    [this.#since, this.#loop, this.#asked] = [performance.now(), performance.eventLoopUtilization(), asked];
    return this.#pressure;
  }
}
