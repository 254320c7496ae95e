import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { type Follower, isAsyncProjection } from './follower.js';
import { checkpointsBehind, makeCheckpoint } from './follower-checkpoints.js';
import { FollowerRuns, type Lagging } from './follower-runs.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from '../options.js';
import { Partitions } from '../log/partitions.js';
import { RecentEvents } from '../log/recent-events.js';
import { WakeUp } from '../log/wake-up.js';

const POLL_MS = 250;
/** Every so many polls all partitions are asked; the others ask those with new events only. */
const FULL_POLL_EVERY = 4;
/**
 * So many events after the last poll are followed by one at once: read models must not lag behind what is remembered.
 */
const POLL_AFTER = 1_000n;

/**
 * Asks which followers lag, and has them run. Processes share them by locking their checkpoints: any process takes over
 * at once.
 */
@Injectable()
export class Subscriptions implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #followers = new Map<string, Follower>();
  readonly #runs: FollowerRuns;
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

  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly wakeUp: WakeUp,
    private readonly recent: RecentEvents,
    @Inject(EVENT_STORE_OPTIONS) private readonly options: Pick<EventStoreOptions, 'runsBackground'>,
  ) {
    this.#runs = new FollowerRuns(database, wakeUp, recent);
  }

  register(follower: Follower): void {
    if (this.#followers.has(follower.name)) throw new TypeError(`follower ${follower.name} is registered twice`);
    this.#followers.set(follower.name, follower);
  }

  /** Every follower of this process. */
  all(): readonly Follower[] {
    return [...this.#followers.values()];
  }

  onApplicationBootstrap(): void {
    if (!this.options.runsBackground || this.#followers.size === 0) return;
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
    this.#runs.stop();
    this.#stopListening?.();
    this.#wake();
    await this.#loop;
    await Promise.all(this.#checking.values());
    await this.#runs.ended();
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
      const isAlone = this.#runs.isAlone(follower, partition);
      const kind = isAsyncProjection(follower) ? 'read models' : 'sagas';
      const place = isAlone ? consumer : `${kind} at ${position ?? 0}`;
      const group = groups.get(place) ?? { followers: [], partition, position: BigInt(position ?? 0) };
      group.followers.push(follower);
      groups.set(place, group);
    }
    return [...groups.values()];
  }

  #advance(lagging: Lagging): void {
    if (!this.#runs.advance(lagging)) this.#appended.add(lagging.partition);
  }
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
