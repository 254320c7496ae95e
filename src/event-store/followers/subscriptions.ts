import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { type Follower, isAsyncProjection } from './follower.js';
import { checkpointsBehind, makeCheckpoint } from './follower-checkpoints.js';
import { passing, step } from './follower-step.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from '../options.js';
import { Partitions } from '../log/partitions.js';
import { RecentEvents } from '../log/recent-events.js';
import { WakeUp } from '../log/wake-up.js';

const POLL_MS = 250;
/** Every so many polls all partitions are asked; the others ask those with new events only. */
const FULL_POLL_EVERY = 4;
/** So many events after the last poll are followed by one at once: read models must not lag behind what is remembered. */
const POLL_AFTER = 1_000n;
/** A read model may lag a little where a saga may not: it collects events for this long between two runs. */
const READ_MODEL_PAUSE_MS = 100;
/**
 * Events of a read model's first batch; each batch right after it is twice as large, up to the limit of a statement.
 */
const FIRST_BATCH = 100;
/** A consumer with batches of this size bypasses the queue of read models: a saga, or a read model that lags. */
const BYPASS_FROM = 1_000;
const MAX_BACKOFF_MS = 5_000;

/** Followers that share their next batches, the partition in which they lag, and their position if it is known. */
interface Lagging {
  readonly followers: readonly Follower[];
  readonly partition: number;
  readonly position?: bigint;
}

/** Drives the followers. Processes share them by locking their checkpoints: any process takes over at once. */
@Injectable()
export class Subscriptions implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #followers = new Map<string, Follower>();
  readonly #running = new Map<string, Promise<void>>();
  /** Followers that lagged again while they ran: their last read may have missed the new events. */
  readonly #rerun = new Set<string>();
  /** Followers whose shared batch failed: each runs by itself until it has succeeded. */
  readonly #isolated = new Set<string>();
  /** By the monotonic clock: a wall clock that is set back must not stop a follower. */
  readonly #backoff = new Map<string, { until: number; pause: number }>();
  readonly #logger = new Logger(Subscriptions.name);
  /** Partitions with new events, or with events left while their followers pause: asked at the next poll. */
  readonly #appended = new Set<number>();
  /** Partitions whose new events are urgent for these followers: asked at once, for them alone. */
  #urgent = new Map<number, ReadonlySet<string>>();
  /** By the monotonic clock. */
  #pollAt = -Infinity;
  /** Up to where each partition's log was known to reach at its last poll. */
  readonly #polled = new Map<number, bigint>();
  /** Partitions whose lag is being read. */
  readonly #checking = new Map<number, Promise<void>>();
  /** Those of them that got new events meanwhile, which the answer may not contain, and for which followers. */
  readonly #recheck = new Map<number, ReadonlySet<string>>();
  #stopListening: (() => void) | undefined;
  #loop: Promise<void> | undefined;
  #wake: () => void = () => undefined;
  #stopped = false;
  /** The tail of the queue of read models, for each database server. */
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly wakeUp: WakeUp,
    private readonly recent: RecentEvents,
    @Inject(EVENT_STORE_OPTIONS) private readonly options: Pick<EventStoreOptions, 'follows'>,
  ) {}

  register(follower: Follower): void {
    if (this.#followers.has(follower.name)) throw new TypeError(`follower ${follower.name} is registered twice`);
    this.#followers.set(follower.name, follower);
  }

  /** Every follower of this process. */
  all(): readonly Follower[] {
    return [...this.#followers.values()];
  }

  onApplicationBootstrap(): void {
    if (!this.options.follows || this.#followers.size === 0) return;
    this.#stopListening = this.wakeUp.onAppended((partition, types) => {
      this.#appended.add(partition);
      const urgent = this.all().flatMap((follower) => (isUrgent(follower, types) ? follower.name : []));
      if (urgent.length > 0) addTo(this.#urgent, partition, urgent);
      const isFar = (this.recent.newest(partition) ?? 0n) - (this.#polled.get(partition) ?? 0n) >= POLL_AFTER;
      if (isFar) this.#pollAt = -Infinity;
      if (isFar || urgent.length > 0) this.#wake();
    });
    this.#loop = this.#run();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    this.#stopListening?.();
    this.#wake();
    await this.#loop;
    await Promise.all(this.#checking.values());
    await Promise.all(this.#running.values());
  }

  async #run(): Promise<void> {
    const all = new Set(this.#followers.keys());
    for (let polls = 0; !this.#stopped;) {
      const urgent = this.#urgent;
      this.#urgent = new Map();
      // One by one, not awaited: a partition that does not answer delays no other.
      for (const [partition, consumers] of urgent) this.#check(partition, consumers);
      if (performance.now() >= this.#pollAt) {
        const partitions = polls % FULL_POLL_EVERY === 0 ? this.partitions.own() : [...this.#appended];
        partitions.forEach((partition) => this.#check(partition, all));
        polls += 1;
        this.#pollAt = performance.now() + POLL_MS;
      }
      await this.#nextWake(this.#pollAt - performance.now());
    }
  }

  /** @param consumers whom the new events are for now */
  #check(partition: number, consumers: ReadonlySet<string>): void {
    if (this.partitions.isUnreachable(partition)) return;
    const isPoll = consumers.size === this.#followers.size;
    if (isPoll) this.#polled.set(partition, this.recent.newest(partition) ?? 0n);
    // Its owner follows it, which has most of its events in memory.
    if (!this.partitions.owns(partition)) return void this.#appended.delete(partition);
    const [only] = consumers;
    // Its batch finds its position.
    if (!isPoll && consumers.size === 1) return this.#advance({ followers: [this.#followers.get(only!)!], partition });
    if (this.#checking.has(partition)) return addTo(this.#recheck, partition, consumers);
    if (isPoll) this.#appended.delete(partition);
    const asked = this.partitions
      .ask([partition], () => this.#lagging(partition, consumers))
      .then(({ found: [answer] }) => answer?.[1].forEach((group) => this.#advance(group)))
      .catch((error: unknown) => this.#logger.warn({ err: error, partition }, 'the state of the log could not be read'))
      .finally(() => {
        this.#checking.delete(partition);
        const again = this.#recheck.get(partition);
        this.#recheck.delete(partition);
        if (again && !this.#stopped) this.#check(partition, again);
      });
    this.#checking.set(partition, asked);
  }

  #nextWake(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, withinMs));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Those of these followers that lag in a partition, grouped by position; creates missing checkpoints. */
  async #lagging(partition: number, consumers: ReadonlySet<string>): Promise<Lagging[]> {
    const rows = await this.database.backgroundQuery<{ consumer: string; position: string | null }>(
      checkpointsBehind(partition, [...consumers]),
    );
    const groups = new Map<string, { followers: Follower[]; partition: number; position: bigint }>();
    for (const { consumer, position } of rows) {
      if (position === null) await this.database.backgroundQuery(makeCheckpoint(partition, consumer));
      const follower = this.#followers.get(consumer)!;
      const isAlone = this.#isolated.has(keyOf(follower, partition));
      const kind = isAsyncProjection(follower) ? 'read models' : 'sagas';
      const place = isAlone ? consumer : `${kind} at ${position ?? 0}`;
      const group = groups.get(place) ?? { followers: [], partition, position: BigInt(position ?? 0) };
      group.followers.push(follower);
      groups.set(place, group);
    }
    return [...groups.values()];
  }

  #advance({ followers, partition, position }: Lagging): void {
    const free = followers.filter((follower) => {
      const key = keyOf(follower, partition);
      if (this.#running.has(key)) this.#rerun.add(key);
      return !this.#running.has(key) && (this.#backoff.get(key)?.until ?? 0) <= performance.now();
    });
    // Those that run or pause read again afterwards.
    if (free.length < followers.length) this.#appended.add(partition);
    if (free.length === 0) return;
    const keys = free.map((follower) => keyOf(follower, partition));
    const run = this.#catchUp(keys, { followers: free, partition, position })
      .then(() => this.#succeeded(keys, free))
      .catch((error: unknown) => {
        this.#failed(keys);
        const consumer = free.map(({ name }) => name).join(', ');
        this.#logger.error({ err: error, consumer, partition }, 'a follower of the log failed');
      })
      .finally(() => keys.forEach((key) => this.#running.delete(key)));
    keys.forEach((key) => this.#running.set(key, run));
  }

  #succeeded(keys: readonly string[], followers: readonly Follower[]): void {
    for (const [i, key] of keys.entries()) {
      this.#isolated.delete(key);
      if (isAsyncProjection(followers[i]!))
        this.#backoff.set(key, { until: performance.now() + READ_MODEL_PAUSE_MS, pause: POLL_MS });
      else this.#backoff.delete(key);
    }
  }

  /** Of several followers it is not known which one failed: each is retried by itself, without backoff. */
  #failed(keys: readonly string[]): void {
    if (keys.length > 1) return keys.forEach((key) => this.#isolated.add(key));
    const pause = Math.min((this.#backoff.get(keys[0]!)?.pause ?? POLL_MS) * 2, MAX_BACKOFF_MS);
    this.#backoff.set(keys[0]!, { until: performance.now() + pause, pause });
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

/** Whether events of these types, or of types that are not known, are for a follower now, not at the next poll. */
function isUrgent(follower: Follower, types: ReadonlySet<string> | undefined): boolean {
  const urgent = follower.urgent ?? follower.handles;
  if (isAsyncProjection(follower)) return false;
  return !urgent || !types || [...types].some((type) => urgent.has(type));
}

function addTo(sets: Map<number, ReadonlySet<string>>, partition: number, names: Iterable<string>): void {
  sets.set(partition, new Set([...(sets.get(partition) ?? []), ...names]));
}
