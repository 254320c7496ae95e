import { Logger } from '@nestjs/common';
import type { Database } from '../../platform/database/index.js';
import type { RecentEvents } from '../log/recent-events.js';
import type { WakeUp } from '../log/wake-up.js';
import { type Follower, isAsyncProjection } from './follower.js';
import { passing, step } from './follower-step.js';

/** A read model may lag a little where a saga may not: it collects events for this long between two runs. */
const READ_MODEL_PAUSE_MS = 100;
/**
 * Events of a read model's first batch; each batch right after it is twice as large, up to the limit of a statement.
 */
const FIRST_BATCH = 100;
/** A consumer with batches of this size bypasses the queue of read models: a saga, or a read model that lags. */
const BYPASS_FROM = 1_000;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 5_000;

/** Followers that share their next batches, the partition in which they lag, and their position if it is known. */
export interface Lagging {
  readonly followers: readonly Follower[];
  readonly partition: number;
  readonly position?: bigint;
}

/** Runs followers that lag, until they have caught up: one run of each at a time, with a pause after a failure. */
export class FollowerRuns {
  readonly #running = new Map<string, Promise<void>>();
  /** Followers that lagged again while they ran: their last read may have missed the new events. */
  readonly #rerun = new Set<string>();
  /** Followers whose shared batch failed: each runs by itself until it has succeeded. */
  readonly #isolated = new Set<string>();
  /**
   * By the monotonic clock: a wall clock that is set back must not stop a follower. `pause` is that of the last
   * failure; 0 where it succeeded since.
   */
  readonly #backoff = new Map<string, { until: number; pause: number }>();
  /** The tail of the queue of read models, for each database server. */
  readonly #queues = new Map<string, Promise<unknown>>();
  readonly #logger = new Logger(FollowerRuns.name);
  #stopped = false;

  constructor(
    private readonly database: Database,
    private readonly wakeUp: WakeUp,
    private readonly recent: RecentEvents,
  ) {}

  /** No further batch begins. */
  stop(): void {
    this.#stopped = true;
  }

  /** Resolves when none is in progress any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  /** Whether it runs by itself, as a batch that it shared has failed. */
  isAlone(follower: Follower, partition: number): boolean {
    return this.#isolated.has(keyOf(follower, partition));
  }

  /** @returns whether all of them could begin; those that run or pause have to be asked again */
  advance({ followers, partition, position }: Lagging): boolean {
    const free = followers.filter((follower) => {
      const key = keyOf(follower, partition);
      if (this.#running.has(key)) this.#rerun.add(key);
      return !this.#running.has(key) && (this.#backoff.get(key)?.until ?? 0) <= performance.now();
    });
    if (free.length > 0) this.#run({ followers: free, partition, position });
    return free.length === followers.length;
  }

  #run(lagging: Lagging): void {
    const { followers, partition } = lagging;
    const keys = followers.map((follower) => keyOf(follower, partition));
    const run = this.#catchUp(keys, lagging)
      .then(() => this.#succeeded(keys, followers))
      .catch((error: unknown) => {
        this.#failed(keys);
        const consumer = followers.map(({ name }) => name).join(', ');
        this.#logger.error({ err: error, consumer, partition }, 'a follower of the log failed');
      })
      .finally(() => keys.forEach((key) => this.#running.delete(key)));
    keys.forEach((key) => this.#running.set(key, run));
  }

  #succeeded(keys: readonly string[], followers: readonly Follower[]): void {
    for (const [i, key] of keys.entries()) {
      this.#isolated.delete(key);
      if (isAsyncProjection(followers[i]!))
        this.#backoff.set(key, { until: performance.now() + READ_MODEL_PAUSE_MS, pause: 0 });
      else this.#backoff.delete(key);
    }
  }

  /** Of several followers it is not known which one failed: each is retried by itself, without backoff. */
  #failed(keys: readonly string[]): void {
    if (keys.length > 1) return keys.forEach((key) => this.#isolated.add(key));
    const [key] = keys as [string];
    const before = this.#backoff.get(key)?.pause ?? 0;
    const pause = Math.min(Math.max(FIRST_BACKOFF_MS, before * 2), MAX_BACKOFF_MS);
    this.#backoff.set(key, { until: performance.now() + pause, pause });
  }

  async #catchUp(keys: readonly string[], { followers, partition, position }: Lagging): Promise<void> {
    const areReadModels = followers.every(isAsyncProjection);
    // A saga handles few of the events that it reads, and payments wait for those: large batches from the start.
    let most = areReadModels ? FIRST_BATCH : Infinity;
    let more = !(await this.#pass({ followers, partition, position }));
    for (; (more || keys.some((key) => this.#rerun.has(key))) && !this.#stopped; most *= 2) {
      keys.forEach((key) => this.#rerun.delete(key));
      const run = () =>
        this.database.transaction(
          (client, last) => step(client, last, followers, partition, this.recent, most),
          partition,
        );
      const done = await (most < BYPASS_FROM ? this.#queued(partition, run) : run());
      more = done.more;
      // A poll costs one query a source: sources that got no work are not polled.
      if (!areReadModels && done.sources?.length !== 0) this.wakeUp.signalWork(partition, done.sources);
    }
  }

  /** @returns whether all of them have passed what is remembered: none of it was for them */
  async #pass({ followers, partition, position }: Lagging): Promise<boolean> {
    const statement = position === undefined ? undefined : passing(followers, partition, position, this.recent);
    return statement !== undefined && (await this.database.backgroundQuery(statement)).length === followers.length;
  }

  /**
   * Read models run one after the other. All at once they would take every core, and requests would wait for as long
   * as that lasts.
   */
  #queued<T>(partition: number, run: () => Promise<T>): Promise<T> {
    const server = this.database.serverOf(partition);
    const done = (this.#queues.get(server) ?? Promise.resolve()).then(run);
    this.#queues.set(
      server,
      done.catch(() => undefined),
    );
    return done;
  }
}

function keyOf({ name }: Follower, partition: number): string {
  return `${name}/${partition}`;
}
