import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { OutcomeUnknown, ServiceUnavailable } from '../../platform/errors/index.js';
import type { RecordedEvent } from '../log/event.js';
import { EventLog, type NewestEvent } from '../log/event-log.js';
import { REGISTRY_PARTITION } from '../log/identifiers.js';
import { LogPauses } from '../../platform/observability/log-pauses.js';
import { Peers } from '../../platform/workers/index.js';
import { WakeUp } from '../log/wake-up.js';

const POLL_MS = 250;
const MAX_STALENESS_MS = 1_000;
const PAGE = 500;
/** How long an answer waits until the log shows what its command did, as long as commands wait for their lane. */
const SHOWN_MS = 10_000;
const NOT_SHOWN = 'The change is written, and the database does not show it everywhere yet. Look again in a minute.';
/** Calls of other workers: the registry has changed. */
const KIND = 'registry';

/**
 * Follows the registry's partition in memory and invalidates caches of registry data: within a poll interval in every
 * process, and before the command's answer in the process that made the change and in its service's other workers.
 */
@Injectable()
export class RegistryTail implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #listeners: ((event: RecordedEvent) => void)[] = [];
  readonly #resets: (() => void)[] = [];
  readonly #logger = new Logger(RegistryTail.name);
  readonly #pauses = new LogPauses();
  /** Up to where it was read. */
  #newest: NewestEvent | undefined;
  /** When the read in progress, or the last one, began. */
  #readAt = Number.NEGATIVE_INFINITY;
  /** The same moment by the clock that stops while this process is stalled. */
  #readAtUptime = 0;
  /** When the timer fired last, and by how much it was late in total. */
  #tickAt = 0;
  #lateMs = 0;
  /** When the last successful read began. */
  #freshAt = Number.NEGATIVE_INFINITY;
  #polling: Promise<void> | undefined;
  #rerun = false;
  #timer: NodeJS.Timeout | undefined;
  #stopListening: (() => void) | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: EventLog,
    private readonly wakeUp: WakeUp,
    private readonly peers: Peers,
  ) {
    peers.serve(KIND, (events) => this.#appended(events as readonly RecordedEvent[]));
  }

  /** Calls `listener` for each registry event that is appended from now on, by any process; for some of them twice. */
  onEvent(listener: (event: RecordedEvent) => void): void {
    this.#listeners.push(listener);
  }

  /** Calls `listener` where the log is another than was followed: nothing that was made from it counts any more. */
  onReset(listener: () => void): void {
    this.#resets.push(listener);
  }

  /** Whether an event of the registry was read: from then on a log without it is noticed. */
  hasFollowed(position: bigint): boolean {
    return this.#newest !== undefined && this.#newest.position >= position;
  }

  /** Whether the registry was read within the last second. */
  get isFresh(): boolean {
    return performance.now() - this.#freshAt <= MAX_STALENESS_MS;
  }

  /**
   * A process that was stalled (no CPU, stopped) has missed polls, which says nothing about the database: it waits for
   * a read, and for a second one if it stalled during the first. A read that has taken a second of this process's
   * uptime, or has just failed, is neither awaited nor repeated. Nor is any where every node has a copy of the
   * registry's tables: a caller reads those at once, and does not feel a registry's node that hangs.
   * @returns whether caches are fresh. If not, the caller reads the copy each time: a change reaches all copies, or is
   *   not made
   * @throws ServiceUnavailable when the registry cannot be followed and there are no copies
   */
  async freshen(): Promise<boolean> {
    if (this.database.isSpread) return this.isFresh;
    for (let reads = 0; reads < 2 && !this.isFresh; reads += 1) {
      const missedPoll = performance.now() - this.#readAt > POLL_MS;
      const read = this.#polling ?? (missedPoll ? this.catchUp() : undefined);
      const left = this.#readAtUptime + MAX_STALENESS_MS - this.#uptime;
      if (!read || left <= 0) break;
      await Promise.race([read, sleep(left, undefined, { ref: false })]);
    }
    if (!this.isFresh) throw new ServiceUnavailable('The database is not available.');
    return true;
  }

  async onApplicationBootstrap(): Promise<void> {
    this.#stopListening = this.wakeUp.onAppended((partition) => {
      if (partition === REGISTRY_PARTITION) void this.catchUp();
    });
    this.#tickAt = performance.now();
    this.#timer = setInterval(() => {
      this.#lateMs = performance.now() - this.#uptime;
      this.#tickAt = performance.now();
      void this.catchUp();
    }, POLL_MS);
    await this.catchUp();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopListening?.();
    await this.#polling;
  }

  /** Milliseconds by a clock that stops while this process is stalled. */
  get #uptime(): number {
    const now = performance.now();
    return now - this.#lateMs - Math.max(0, now - this.#tickAt - POLL_MS);
  }

  /** Reads until there are no new events. A call during a run makes that run read once more. Never throws. */
  catchUp(): Promise<void> {
    this.#rerun = true;
    this.#polling ??= this.#run().finally(() => (this.#polling = undefined));
    return this.#polling;
  }

  /**
   * Resolves once what a command did counts in every worker of the service: a client may come to another one next. A
   * cluster answers a COMMIT before each node has learnt of it: the log of one that was cut off then does not show the
   * events, for up to a minute. For another worker this waits a poll interval at most.
   * @throws OutcomeUnknown where the log does not show them in time
   */
  async appended(events: readonly RecordedEvent[]): Promise<void> {
    const last = events.at(-1)?.position;
    for (const deadline = performance.now() + SHOWN_MS; ; await sleep(POLL_MS)) {
      await Promise.all([this.#appended(events), this.peers.callAll(KIND, events, POLL_MS)]);
      if (last === undefined || this.hasFollowed(last)) return;
      if (performance.now() > deadline) throw new OutcomeUnknown(NOT_SHOWN);
    }
  }

  /** Listeners are called twice, by the read once more: where the log cannot be read just now, the first one counts. */
  #appended(events: readonly RecordedEvent[]): Promise<void> {
    for (const event of events) this.#listeners.forEach((listener) => listener(event));
    return this.catchUp();
  }

  async #run(): Promise<void> {
    while (this.#rerun) {
      this.#rerun = false;
      const began = (this.#readAt = performance.now());
      this.#readAtUptime = this.#uptime;
      try {
        while (await this.#readPage());
        this.#freshAt = began;
      } catch (error) {
        if (this.#pauses.isDue('registry', error))
          this.#logger.warn({ err: error }, 'the registry could not be followed');
      }
    }
  }

  /**
   * Reads on from the newest event that was read, with it: where the log has another one there, or none, the database
   * was put back, or its head was set back, and what came after that is unknown.
   * @returns whether there is more
   */
  async #readPage(): Promise<boolean> {
    const { position, id } = (this.#newest ??= await this.log.newestOf(REGISTRY_PARTITION));
    const page = await this.log.readAfter(REGISTRY_PARTITION, position - 1n, PAGE);
    const hasMore = page.length === PAGE;
    if (position > 0n && page.shift()?.id !== id) {
      this.#newest = await this.log.newestOf(REGISTRY_PARTITION);
      this.#logger.error({ position: String(position) }, 'the registry has another log: its caches are cleared');
      this.#resets.forEach((listener) => listener());
      return false;
    }
    for (const event of page) this.#listeners.forEach((listener) => listener(event));
    this.#newest = page.at(-1) ?? this.#newest;
    return hasMore;
  }
}
