import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { ServiceUnavailable } from '../../platform/errors/index.js';
import type { RecordedEvent } from '../log/event.js';
import { EventLog } from '../log/event-log.js';
import { REGISTRY_PARTITION } from '../log/identifiers.js';
import { WakeUp } from '../log/wake-up.js';

const POLL_MS = 250;
const TRUST_MS = 1_000;
const PAGE = 500;

/**
 * Follows the registry's partition in memory, so that caches of registry data drop what has changed: within
 * a poll interval on every instance, and before the command's answer on the one that made the change.
 */
@Injectable()
export class LogTail implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #listeners: ((event: RecordedEvent) => void)[] = [];
  readonly #logger = new Logger(LogTail.name);
  #position: bigint | undefined;
  /** When the look that is under way, or the last one, began. */
  #askedAt = Number.NEGATIVE_INFINITY;
  /** The same moment by the clock that stands still while this process is held up. */
  #askedAtLived = 0;
  /** When the timer's last turn was, and by how much all of them together came late. */
  #turnAt = 0;
  #late = 0;
  /** When the last look that succeeded began. */
  #freshAt = Number.NEGATIVE_INFINITY;
  #polling: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly wakeUp: WakeUp,
  ) {}

  /** Calls `listener` for each registry event that is appended from now on, by any instance. */
  onEvent(listener: (event: RecordedEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Whether the registry was followed within the last second. */
  get isFresh(): boolean {
    return performance.now() - this.#freshAt <= TRUST_MS;
  }

  /** Whether registry data is to be had: from what is remembered, or from a copy of the tables. */
  get canServe(): boolean {
    return this.isFresh || this.database.isSpread;
  }

  /**
   * A process that was held up has missed its own turns, which says nothing of the database: it waits for the look of
   * this turn, and looks once more if it was held up during that. A look that has been under way for a second in which
   * this process ran, or has just failed, is not waited for and not repeated.
   * @returns whether caches may be trusted now. If not, but the registry's tables have a copy on every node, those are
   *   to be read each time: a change reaches all copies, or is not made
   * @throws ServiceUnavailable when the registry can neither be followed nor read elsewhere
   */
  async freshen(): Promise<boolean> {
    for (let looks = 0; looks < 2 && !this.isFresh; looks += 1) {
      const missedTurn = performance.now() - this.#askedAt > POLL_MS;
      const look = this.#polling ?? (missedTurn ? this.catchUp() : undefined);
      const left = this.#askedAtLived + TRUST_MS - this.#lived;
      if (!look || left <= 0) break;
      await Promise.race([look, sleep(left, undefined, { ref: false })]);
    }
    if (!this.canServe) throw new ServiceUnavailable('The database is not available.');
    return this.isFresh;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.#stopListening = this.wakeUp.onNews((partition) => {
      if (partition === REGISTRY_PARTITION) void this.catchUp();
    });
    this.#turnAt = performance.now();
    this.#timer = setInterval(() => {
      this.#late = performance.now() - this.#lived;
      this.#turnAt = performance.now();
      void this.catchUp();
    }, POLL_MS);
    await this.catchUp();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopListening?.();
    await this.#polling;
  }

  /** Milliseconds of a clock that stands still while this process is held up. */
  get #lived(): number {
    const now = performance.now();
    return now - this.#late - Math.max(0, now - this.#turnAt - POLL_MS);
  }

  /** Reads on until nothing is new. A call during a run makes that run look once more. Never throws. */
  catchUp(): Promise<void> {
    this.#again = true;
    this.#polling ??= this.#run().finally(() => (this.#polling = undefined));
    return this.#polling;
  }

  async #run(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      const asked = (this.#askedAt = performance.now());
      this.#askedAtLived = this.#lived;
      try {
        this.#position ??= await this.log.headOf(REGISTRY_PARTITION);
        for (;;) {
          const events = await this.log.readAfter(REGISTRY_PARTITION, this.#position, PAGE);
          for (const event of events) this.#listeners.forEach((listener) => listener(event));
          this.#position = events.at(-1)?.position ?? this.#position;
          if (events.length < PAGE) break;
        }
        this.#freshAt = asked;
      } catch (error) {
        this.#logger.warn({ err: error }, 'the registry could not be followed');
      }
    }
  }
}
