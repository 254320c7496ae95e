import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { Database } from '../platform/database/index.js';
import type { RecordedEvent } from './event.js';
import { lockAndRead, parseEventRow, toRecorded } from './event-log.js';
import type { Statement } from './inline-projection.js';
import { EventStoreMetrics } from './metrics.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from './options.js';
import { WakeUp } from './wake-up.js';

/**
 * A follower of the log: an async projection or a saga. It is given every event once, in order, partition by
 * partition; what it writes through `client` commits together with its checkpoint. It calls nobody else.
 */
export interface Follower {
  readonly name: string;
  /** The event types that it is given; the others only move its checkpoint. Absent: all. */
  readonly handles?: ReadonlySet<string>;
  /** The event types that it acts upon at once; the others wait until it is next due. Absent: all that it is given. */
  readonly concerns?: ReadonlySet<string>;
  /**
   * @returns the sources of work (`WorkSource.name`) that were given something to do; nothing where it cannot tell:
   *   then all of them look
   */
  handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<readonly string[] | void>;
}

/**
 * How a table is read through, as data, so that another thread can do it: `$1` is the partition, `$2` the position of
 * the last event whose rows count, `$3` how many rows at most, `$4` and on the key after which (from `first` on). The
 * key is the first columns, and the order.
 */
export interface RowScan {
  readonly name: string;
  readonly text: string;
  readonly first: readonly string[];
}

/**
 * A follower that is a read model and nothing else: its rows follow from the events alone, so they can be checked
 * against the log and built anew. Sagas, whose rows are intentions, are not.
 */
export interface AsyncProjection<Row = unknown> extends Follower {
  /** The tables it writes, and nobody else does. Its statements name them without a schema. */
  readonly tables: readonly string[];
  /** The rows that an event makes, or what it says of them. */
  rowsOf(event: RecordedEvent): readonly Row[];
  /**
   * The table's rows, every column in the text that `textsOf` gives for it. Both are for a projection whose rows no
   * later event changes: then the sums of both sides are compared first. Absent: it is compared row by row.
   */
  readonly scan?: RowScan;
  textsOf?(row: Row): readonly (string | null)[];
  /** Compares rows with the tables, in the database: gives columns `position`, `key`, `field`, `expected`, `found`
   * (all text) for those that differ or are missing. */
  compare(partition: number, rows: readonly Row[]): Statement;
  /**
   * Counts rows after a key (`null`: from the first), in key order, `limit` of them at most: one row with `counted`
   * (those made by events up to position `upTo`), `seen` (all) and `last` (the last key; `null` when there was none).
   */
  count(partition: number, afterKey: string | null, upTo: bigint, limit: number): Statement;
}

export function isAsyncProjection(follower: Follower): follower is AsyncProjection {
  return 'tables' in follower;
}

const POLL_MS = 250;
const BATCH = 1_000;
/** Of a follower that is given some types only. */
const SIFTED_BATCH = 5_000;
/** Nobody waits for a read model as for a saga: it gathers events for a moment instead of taking each as it comes. */
const REST_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

interface Behind {
  readonly follower: Follower;
  readonly partition: number;
}

/** Drives the followers. Instances share the work by locking a follower's checkpoint; any of them takes over at once. */
@Injectable()
export class Subscriptions implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #followers = new Map<string, Follower>();
  readonly #running = new Map<string, Promise<void>>();
  /** Followers that were found behind while they ran: their last look may have missed the news. */
  readonly #again = new Set<string>();
  /** Of the monotonic clock: a wall clock that is set back must not stop a follower. */
  readonly #pausedUntil = new Map<string, { until: number; pause: number }>();
  readonly #logger = new Logger(Subscriptions.name);
  #stopListening: (() => void) | undefined;
  #loop: Promise<void> | undefined;
  #wake: () => void = () => undefined;
  #stopped = false;

  constructor(
    private readonly database: Database,
    private readonly wakeUp: WakeUp,
    private readonly metrics: EventStoreMetrics,
    @Inject(EVENT_STORE_OPTIONS) private readonly options: EventStoreOptions,
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
    this.#stopListening = this.wakeUp.onNews((_partition, types) => {
      if (!types || this.all().some((follower) => isUrgent(follower, types))) this.#wake();
    });
    this.#loop = this.#run();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stopped = true;
    this.#stopListening?.();
    this.#wake();
    await this.#loop;
    await Promise.all(this.#running.values());
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      const woken = this.#nextWake();
      try {
        for (const behind of await this.#behind()) this.#advance(behind);
      } catch (error) {
        this.#logger.warn({ err: error }, 'the state of the log could not be read');
      }
      await woken;
    }
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

  /** Followers that have not seen everything, by partition; makes missing checkpoints. */
  async #behind(): Promise<Behind[]> {
    const names = [...this.#followers.keys()];
    const rows = await this.database.backgroundQuery<{
      consumer: string;
      partition: number;
      lag: string;
      known: boolean;
    }>({
      name: 'subscriptions-behind',
      text: `
        select c.consumer, h.partition, h.position - coalesce(s.position, 0) as lag, s.position is not null as known
        from log_head h
        cross join unnest($1::text[]) as c (consumer)
        left join subscription s on s.partition = h.partition and s.consumer = c.consumer`,
      values: [names],
    });
    const behind: Behind[] = [];
    for (const row of rows) {
      this.metrics.lag(row.consumer, row.partition, Number(row.lag));
      if (Number(row.lag) === 0) continue;
      if (!row.known) await this.#makeCheckpoint(row.consumer, row.partition);
      behind.push({ follower: this.#followers.get(row.consumer)!, partition: row.partition });
    }
    return behind;
  }

  async #makeCheckpoint(consumer: string, partition: number): Promise<void> {
    await this.database.backgroundQuery({
      name: 'subscription-create',
      text: `
        insert into subscription (partition, consumer, position) values ($1, $2, 0)
        on conflict (partition, consumer) do nothing`,
      values: [partition, consumer],
    });
  }

  #advance({ follower, partition }: Behind): void {
    const key = `${follower.name}/${partition}`;
    if (this.#running.has(key)) this.#again.add(key);
    if (this.#running.has(key) || (this.#pausedUntil.get(key)?.until ?? 0) > performance.now()) return;
    const run = this.#catchUp(key, follower, partition)
      .then(() => {
        if (isAsyncProjection(follower))
          this.#pausedUntil.set(key, { until: performance.now() + REST_MS, pause: POLL_MS });
        else this.#pausedUntil.delete(key);
      })
      .catch((error: unknown) => {
        const pause = Math.min((this.#pausedUntil.get(key)?.pause ?? POLL_MS) * 2, LONGEST_PAUSE_MS);
        this.#pausedUntil.set(key, { until: performance.now() + pause, pause });
        this.#logger.error({ err: error, consumer: follower.name, partition }, 'a follower of the log failed');
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, run);
  }

  async #catchUp(key: string, follower: Follower, partition: number): Promise<void> {
    let more = true;
    while ((more || this.#again.has(key)) && !this.#stopped) {
      this.#again.delete(key);
      const done = await this.database.transaction((client) => step(client, follower, partition));
      more = done.more;
      // Looking costs a query for each source: nobody looks who has got nothing.
      if (!isAsyncProjection(follower) && done.sources?.length !== 0) this.wakeUp.signalWork(done.sources);
    }
  }
}

/** Whether a follower would rather see events of these types now than at the next poll. */
function isUrgent(follower: Follower, types: ReadonlySet<string>): boolean {
  const concerns = follower.concerns ?? follower.handles;
  if (isAsyncProjection(follower)) return false;
  return !concerns || [...types].some((type) => concerns.has(type));
}

interface Stepped {
  /** Whether there may be more. */
  readonly more: boolean;
  /** Sources of work that were given something; absent: unknown. */
  readonly sources?: readonly string[];
}

/** One batch of one follower, in the caller's transaction. */
async function step(client: PoolClient, follower: Follower, partition: number): Promise<Stepped> {
  const { handles } = follower;
  const limit = handles ? SIFTED_BATCH : BATCH;
  const { rows } = await client.query<Record<string, unknown>>({
    ...lockAndRead(partition, follower.name, limit, handles ? [...handles] : null),
  });
  const last = rows.at(-1);
  if (!last) return { more: false, sources: [] };
  const events = rows
    .filter(({ type }) => !handles || handles.has(type as string))
    .map((row) => toRecorded(parseEventRow(row)));
  const sources = events.length > 0 ? await follower.handle(client, partition, events) : [];
  const position = BigInt(last.position as string);
  await client.query({
    name: 'subscription-move',
    text: 'update subscription set position = $3 where partition = $1 and consumer = $2',
    values: [partition, follower.name, position],
  });
  return { more: position === BigInt(last.after as string) + BigInt(limit), sources: sources ?? undefined };
}
