import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { type Follower, isAsyncProjection } from './follower.js';
import { makeCheckpoint } from './follower-checkpoints.js';
import { step } from './follower-step.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from '../options.js';
import { Partitions } from '../log/partitions.js';
import { RecentEvents } from '../log/recent-events.js';
import { WakeUp } from '../log/wake-up.js';

const POLL_MS = 250;
/** Polls after which partitions are asked of which nobody has told any news. */
const POLLS_OF_ALL = 4;
/** Nobody waits for a read model as for a saga: it gathers events for a moment instead of taking each as it comes. */
const REST_MS = 100;
/** Events of a read model's first step; each that follows at once takes twice as many, up to what one statement may. */
const FIRST_STEP = 100;
/** Whoever takes steps of so many, a saga or a read model that is far behind, waits for nobody's turn. */
const FAR_BEHIND = 1_000;
const LONGEST_PAUSE_MS = 5_000;

/** Followers that go on together, and the partition in which they have not seen everything. */
interface Behind {
  readonly followers: readonly Follower[];
  readonly partition: number;
}

/** Drives the followers. Instances share the work by locking a follower's checkpoint; any of them takes over at once. */
@Injectable()
export class Subscriptions implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #followers = new Map<string, Follower>();
  readonly #running = new Map<string, Promise<void>>();
  /** Followers that were found behind while they ran: their last look may have missed the news. */
  readonly #again = new Set<string>();
  /** Read models that failed together with others: each goes alone until it has succeeded. */
  readonly #apart = new Set<string>();
  /** Of the monotonic clock: a wall clock that is set back must not stop a follower. */
  readonly #pausedUntil = new Map<string, { until: number; pause: number }>();
  readonly #logger = new Logger(Subscriptions.name);
  /** Partitions that have news, or had some when their followers rested. */
  readonly #news = new Set<number>();
  /** Partitions that are being asked who is behind. */
  readonly #asking = new Map<number, Promise<void>>();
  /** Those of them that had news meanwhile, which the answer may not know of. */
  readonly #askAgain = new Set<number>();
  #stopListening: (() => void) | undefined;
  #loop: Promise<void> | undefined;
  #wake: () => void = () => undefined;
  #stopped = false;
  /** Ends when nobody of those who take turns is at a step; one for each server that the steps are for. */
  readonly #turns = new Map<string, Promise<unknown>>();

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
    this.#stopListening = this.wakeUp.onNews((partition, types) => {
      this.#news.add(partition);
      if (!types || this.all().some((follower) => isUrgent(follower, types))) this.#wake();
    });
    this.#loop = this.#run();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    this.#stopListening?.();
    this.#wake();
    await this.#loop;
    await Promise.all(this.#asking.values());
    await Promise.all(this.#running.values());
  }

  async #run(): Promise<void> {
    for (let polls = 0; !this.#stopped; polls++) {
      const woken = this.#nextWake();
      // Each by itself: one that does not answer keeps no other waiting.
      for (const partition of polls % POLLS_OF_ALL === 0 ? this.partitions.all() : this.#news) this.#ask(partition);
      await woken;
    }
  }

  #ask(partition: number): void {
    if (this.partitions.isAway(partition)) return;
    if (this.#asking.has(partition)) return void this.#askAgain.add(partition);
    this.#news.delete(partition);
    const asked = this.partitions
      .ask([partition], () => this.#behind(partition))
      .then(({ found: [answer] }) => answer?.[1].forEach((behind) => this.#advance(behind)))
      .catch((error: unknown) => this.#logger.warn({ err: error, partition }, 'the state of the log could not be read'))
      .finally(() => {
        this.#asking.delete(partition);
        if (this.#askAgain.delete(partition) && !this.#stopped) this.#ask(partition);
      });
    this.#asking.set(partition, asked);
  }

  #nextWake(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, POLL_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Followers that have not seen everything of a partition; makes missing checkpoints. */
  async #behind(partition: number): Promise<Behind[]> {
    const rows = await this.database.backgroundQuery<{ consumer: string; position: string | null }>({
      name: 'subscriptions-behind',
      text: `
        select c.consumer, s.position
        from log_head h
        cross join unnest($2::text[]) as c (consumer)
        left join subscription s on s.partition = h.partition and s.consumer = c.consumer
        where h.partition = $1 and h.position > coalesce(s.position, 0)`,
      values: [partition, [...this.#followers.keys()]],
    });
    const together = new Map<string, { followers: Follower[]; partition: number }>();
    for (const { consumer, position } of rows) {
      if (position === null) await this.database.backgroundQuery(makeCheckpoint(partition, consumer));
      const follower = this.#followers.get(consumer)!;
      const joins = isAsyncProjection(follower) && !this.#apart.has(keyOf(follower, partition));
      const place = joins ? `${partition} at ${position ?? 0}` : keyOf(follower, partition);
      const group = together.get(place) ?? { followers: [], partition };
      group.followers.push(follower);
      together.set(place, group);
    }
    return [...together.values()];
  }

  #advance({ followers, partition }: Behind): void {
    const free = followers.filter((follower) => {
      const key = keyOf(follower, partition);
      if (this.#running.has(key)) this.#again.add(key);
      return !this.#running.has(key) && (this.#pausedUntil.get(key)?.until ?? 0) <= performance.now();
    });
    // Who rests or runs looks once more when that is over.
    if (free.length < followers.length) this.#news.add(partition);
    if (free.length === 0) return;
    const keys = free.map((follower) => keyOf(follower, partition));
    const run = this.#catchUp(keys, free, partition)
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
      this.#apart.delete(key);
      if (isAsyncProjection(followers[i]!))
        this.#pausedUntil.set(key, { until: performance.now() + REST_MS, pause: POLL_MS });
      else this.#pausedUntil.delete(key);
    }
  }

  /** Of several, nobody knows whose fault it was: they part, and do not wait. */
  #failed(keys: readonly string[]): void {
    if (keys.length > 1) return keys.forEach((key) => this.#apart.add(key));
    const pause = Math.min((this.#pausedUntil.get(keys[0]!)?.pause ?? POLL_MS) * 2, LONGEST_PAUSE_MS);
    this.#pausedUntil.set(keys[0]!, { until: performance.now() + pause, pause });
  }

  async #catchUp(keys: readonly string[], followers: readonly Follower[], partition: number): Promise<void> {
    const areReadModels = followers.every(isAsyncProjection);
    // What concerns a saga is little of what it passes by, and somebody waits for that.
    let most = areReadModels ? FIRST_STEP : Infinity;
    for (let more = true; (more || keys.some((key) => this.#again.has(key))) && !this.#stopped; most *= 2) {
      keys.forEach((key) => this.#again.delete(key));
      const go = () =>
        this.database.transaction((client) => step(client, followers, partition, this.recent, most), partition);
      const done = await (most < FAR_BEHIND ? this.#inTurn(partition, go) : go());
      more = done.more;
      // Looking costs a query for each source: nobody looks who has got nothing.
      if (!areReadModels && done.sources?.length !== 0) this.wakeUp.signalWork(partition, done.sources);
    }
  }

  /**
   * Read models step one after the other. All at once, whenever they look, they would take every core for as long as that
   * lasts, and each request of that time would wait.
   */
  #inTurn<T>(partition: number, go: () => Promise<T>): Promise<T> {
    const server = this.database.serverOf(partition);
    const done = (this.#turns.get(server) ?? Promise.resolve()).then(go);
    this.#turns.set(
      server,
      done.catch(() => undefined),
    );
    return done;
  }
}

function keyOf({ name }: Follower, partition: number): string {
  return `${name}/${partition}`;
}

/** Whether a follower would rather see events of these types now than at the next poll. */
function isUrgent(follower: Follower, types: ReadonlySet<string>): boolean {
  const concerns = follower.concerns ?? follower.handles;
  if (isAsyncProjection(follower)) return false;
  return !concerns || [...types].some((type) => concerns.has(type));
}
