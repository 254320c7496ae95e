import type { AwaitedCommands } from '../group-commit/awaited-commands.js';

/** Requests come from so many commands a second. */
const PER_SECOND = 200;
/** They keep a process busy with its event loop in use for this part, where nothing else is said. */
const IN_USE = 0.7;
/** A shorter time says nothing. */
const LOOK_MS = 50;

/** `busy`: requests come, and the event loop has little time left beside them. */
export type Pressure = 'none' | 'some' | 'busy';

/** By what somebody waits for, and by single commands alone. */
export interface Pressures {
  readonly all: Pressure;
  readonly single: Pressure;
}

/** What requests ask of this process, for work that gives way to them. */
export class Demand {
  #since = performance.now();
  #loop = performance.eventLoopUtilization();
  #before: AwaitedCommands;
  #pressures: Pressures = { all: 'none', single: 'none' };

  /** @param inUse part of the time for which a busy event loop is in use, 0 to 1 */
  constructor(
    private readonly awaited: Readonly<AwaitedCommands>,
    private readonly inUse = IN_USE,
  ) {
    this.#before = { ...awaited };
  }

  /** Since the last look. */
  look(): Pressures {
    const ms = performance.now() - this.#since;
    if (ms < LOOK_MS) return this.#pressures;
    const isBusy = performance.eventLoopUtilization(this.#loop).utilization >= this.inUse;
    const pressureOf = (commands: number): Pressure =>
      commands * 1_000 < PER_SECOND * ms ? 'none' : isBusy ? 'busy' : 'some';
    const [single, many] = [this.awaited.single - this.#before.single, this.awaited.many - this.#before.many];
    this.#pressures = { all: pressureOf(single + many), single: pressureOf(single) };
    [this.#since, this.#loop, this.#before] = [
      performance.now(),
      performance.eventLoopUtilization(),
      { ...this.awaited },
    ];
    return this.#pressures;
  }
}
