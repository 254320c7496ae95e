import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database } from '../../platform/database/index.js';
import type { Statement } from '../log/statement.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from '../options.js';
import { Partitions } from '../log/partitions.js';
import { type Room, Shares, type WorkShare } from './shares.js';
import { WakeUp } from '../log/wake-up.js';

/** Where an item of work stands: enough to claim it. */
export interface WorkRef {
  readonly partition: number;
  readonly id: string;
  /** Whose slots it takes, where slots are shared among several. */
  readonly share?: WorkShare;
}

/** Where several sources' rows are: what may be due is asked for all of them at once. */
export interface WorkPlace {
  /** Absent: in every partition. */
  readonly partitions?: readonly number[];
  /** Those of the sources that may have something due in a partition by a moment: column `source`. */
  waiting(partition: number, sources: readonly string[], now: Date, by: Date): Statement;
}

/**
 * A table whose rows are work. A row is taken for a short time ("lease") that is renewed while it is worked on,
 * so the work of a killed process moves on within seconds; whatever the work writes to its row is fenced by
 * the lease. Times are parameters: statements never ask the database for the time. A lease that would last for more than
 * a minute is of a process whose clock was ahead, and counts as none.
 */
export interface WorkSource<Item extends WorkRef> {
  readonly name: string;
  readonly place: WorkPlace;
  /**
   * Rows of a partition that are due and not leased, oldest first, found without a lock: columns `partition`, `id`,
   * `due_at`, and where slots are shared `owner` and `target`: then of each owner no more than it has room for, and of
   * every owner that has room some, however much is due to the others.
   */
  due(now: Date, room: Room, partition: number): Statement;
  /** Leases those of the rows that are still free, skipping what another process is claiming; returns them. */
  claim(partition: number, ids: readonly string[], lease: string, now: Date, until: Date): Statement;
  renew(partition: number, ids: readonly string[], lease: string, until: Date): Statement;
  /** Gives rows back untouched, at shutdown. */
  release(partition: number, ids: readonly string[], lease: string): Statement;
  parse(row: QueryResultRow): Item;
  /** Counts what is due in a partition: one row with `due` (a bounded count) and `oldest` (when the oldest was due). */
  backlog(now: Date, partition: number): Statement;
}

export interface Worker<Item extends WorkRef> {
  readonly source: WorkSource<Item>;
  /** Items at work at once in this process; where slots are shared, of one owner that is alone. */
  readonly concurrency: number;
  /** Does the work and writes its result to the row, fenced by `lease`. A throw leaves the row until its lease ends. */
  perform(item: Item, lease: string): Promise<void>;
}

const POLL_MS = 250;
/** How often all partitions are asked what may be due, and for how long an answer counts. */
const LOOK_MS = 1_000;
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
const GRACE_MS = 5_000;
/** Items that end within it make room for one look. */
const LOOK_AGAIN_MS = 4;
/** On a database of several nodes nobody waits for longer than this for a claim at one of them. */
const PATIENCE_MS = 2_000;

interface DueRow extends QueryResultRow {
  readonly partition: number;
  readonly id: string;
  readonly due_at: Date;
  readonly owner?: string;
  readonly target?: string;
}

interface Running<Item extends WorkRef> {
  readonly worker: Worker<Item>;
  readonly items: Map<string, Item>;
  readonly shares: Shares;
  readonly done: Set<Promise<void>>;
  /** Partitions in which something may be due, and until when that is believed, by the monotonic clock. */
  readonly warm: Map<number, number>;
  claiming: boolean;
  /** Somebody asked to look while a claim was under way, which may have missed the news. */
  again: boolean;
  looking: NodeJS.Timeout | undefined;
}

/** Drives the workers of this process. */
@Injectable()
export class LeasedWork implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #lease = randomUUID();
  readonly #workers: Running<WorkRef>[] = [];
  readonly #logger = new Logger(LeasedWork.name);
  #timers: NodeJS.Timeout[] = [];
  #stopListening: (() => void) | undefined;
  #stopped = false;
  /** Statements under way, so that one which hangs is not joined by more. */
  readonly #asking = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly wakeUp: WakeUp,
    @Inject(EVENT_STORE_OPTIONS) private readonly options: EventStoreOptions,
  ) {}

  register<Item extends WorkRef>(worker: Worker<Item>): void {
    this.#workers.push({
      worker: worker,
      items: new Map(),
      shares: new Shares(worker.concurrency),
      done: new Set(),
      warm: new Map(),
      claiming: false,
      again: false,
      looking: undefined,
    });
  }

  /**
   * Looks for work of one source now: for a worker that has made room for more before the next signal.
   * @param partition where there is something new; absent: where something is known to wait
   */
  look(source: string, partition?: number): void {
    if (!this.options.follows) return;
    for (const running of this.#workers) {
      if (running.worker.source.name !== source) continue;
      if (partition !== undefined) warm(running, partition);
      void this.#take(running);
    }
  }

  /** Every source that this process knows, whether it works on it or not. */
  sources(): readonly WorkSource<WorkRef>[] {
    return this.#workers.map(({ worker }) => worker.source);
  }

  /** Items at work in this process, by source. */
  running(): ReadonlyMap<string, number> {
    return new Map(this.#workers.map(({ worker, items }) => [worker.source.name, items.size]));
  }

  onApplicationBootstrap(): void {
    if (!this.options.follows) return;
    this.#stopListening = this.wakeUp.onWork((partition, sources) => {
      for (const running of this.#workers) {
        if (sources && !sources.includes(running.worker.source.name)) continue;
        warm(running, partition);
        void this.#take(running);
      }
    });
    this.#timers = [
      setInterval(() => this.#workers.forEach((running) => void this.#take(running)), POLL_MS),
      setInterval(() => this.#lookEverywhere(), LOOK_MS),
      setInterval(() => void this.#renew(), RENEW_MS),
    ];
    this.#lookEverywhere();
  }

  /** Takes nothing new from the moment on at which the process is to stop. */
  beforeApplicationShutdown(): void {
    this.#stopped = true;
    this.#stopListening?.();
    this.#timers.slice(0, 2).forEach((timer) => clearInterval(timer));
  }

  /** Waits a while for what is at work, and gives back the rest. */
  async onApplicationShutdown(): Promise<void> {
    this.beforeApplicationShutdown();
    const all = Promise.all(this.#workers.flatMap(({ done }) => [...done]));
    const grace = new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref());
    await Promise.race([all, grace]);
    this.#timers.forEach((timer) => clearInterval(timer));
    await this.#forItems((source, partition, ids) => source.release(partition, ids, this.#lease));
  }

  /** Asks each partition by itself what may be due there, all sources of one place together. */
  #lookEverywhere(): void {
    const byPlace = Map.groupBy(this.#workers, ({ worker }) => worker.source.place);
    for (const [place, workers] of byPlace) {
      const names = workers.map(({ worker }) => worker.source.name);
      for (const partition of place.partitions ?? this.partitions.all()) {
        void this.#alone(`${names[0]} in ${partition}`, async () => {
          const now = new Date();
          const by = new Date(now.getTime() + LOOK_MS);
          const rows = await this.#ask(place, [partition], () =>
            this.database.backgroundQuery<{ source: string }>(place.waiting(partition, names, now, by)),
          );
          const waiting = new Set(rows.flatMap(([, found]) => found.map(({ source }) => source)));
          for (const running of workers) if (waiting.has(running.worker.source.name)) warm(running, partition);
        });
      }
    }
  }

  async #take(running: Running<WorkRef>): Promise<void> {
    const { worker, shares, warm: partitions } = running;
    if (running.claiming) running.again = true;
    if (this.#stopped || running.claiming || partitions.size === 0 || shares.room().limit === 0) return;
    running.claiming = true;
    running.again = false;
    let claimed = 0;
    try {
      claimed = await this.#claim(running);
    } catch (error) {
      this.#logger.warn({ err: error, source: worker.source.name }, 'work could not be claimed');
    } finally {
      running.claiming = false;
    }
    if (claimed > 0 || running.again) void this.#take(running);
  }

  async #claim(running: Running<WorkRef>): Promise<number> {
    const { items, shares } = running;
    const fair = shares.pick((await this.#due(running)).filter(({ id }) => !items.has(id)));
    let claimed = 0;
    const claims = [...Map.groupBy(fair, ({ partition }) => partition)].map(async ([partition, refs]) => {
      claimed += await this.#begin(running, partition, refs);
    });
    const all = Promise.all(claims);
    if (!this.database.isSpread) await all;
    else await Promise.race([all, sleep(PATIENCE_MS, undefined, { ref: false })]);
    all.catch(() => undefined);
    return claimed;
  }

  async #begin(running: Running<WorkRef>, partition: number, refs: readonly WorkRef[]): Promise<number> {
    const { worker, items, shares, done } = running;
    const { source } = worker;
    const now = new Date();
    const until = new Date(now.getTime() + LEASE_MS);
    const ids = refs.map(({ id }) => id);
    const rows = await this.database.backgroundQuery(source.claim(partition, ids, this.#lease, now, until));
    for (const item of rows.map((row) => source.parse(row))) {
      items.set(item.id, item);
      shares.begin(item.share);
      const run = this.#perform(worker, item).finally(() => {
        items.delete(item.id);
        done.delete(run);
        if (shares.end(item.share)) this.#lookAgain(running);
      });
      done.add(run);
    }
    return rows.length;
  }

  /** What is due where something may be, oldest first. Partitions that have nothing for a while are asked no more. */
  async #due({ worker, items, shares, warm: partitions }: Running<WorkRef>): Promise<WorkRef[]> {
    const { source } = worker;
    const now = new Date();
    const room = shares.room();
    const found = await this.#ask(source.place, [...partitions.keys()], (partition) =>
      this.database.backgroundQuery<DueRow>(source.due(now, room, partition)),
    );
    for (const [partition, rows] of found) {
      const isOver = rows.length === 0 && partitions.get(partition)! <= performance.now();
      if (isOver && ![...items.values()].some((item) => item.partition === partition)) partitions.delete(partition);
    }
    return found
      .flatMap(([, rows]) => rows)
      .sort((a, b) => a.due_at.getTime() - b.due_at.getTime())
      .map(({ partition, id, owner, target }) =>
        owner === undefined ? { partition, id } : { partition, id, share: { owner, target: target! } },
      );
  }

  /** A place that has no partitions is not away with one. */
  async #ask<T>(
    place: WorkPlace,
    partitions: readonly number[],
    question: (partition: number) => Promise<T>,
  ): Promise<readonly (readonly [number, T])[]> {
    if (place.partitions) return Promise.all(partitions.map(async (one) => [one, await question(one)] as const));
    const there = partitions.filter((partition) => !this.partitions.isAway(partition));
    return there.length === 0 ? [] : (await this.partitions.ask(there, question)).found;
  }

  /** Unless the one before has not ended. */
  async #alone(what: string, work: () => Promise<void>): Promise<void> {
    if (this.#asking.has(what)) return;
    this.#asking.add(what);
    try {
      await work();
    } catch (error) {
      this.#logger.warn({ err: error, what }, 'work could not be looked for, or its lease renewed');
    } finally {
      this.#asking.delete(what);
    }
  }

  /** Room was made: who had none may have more to do. */
  #lookAgain(running: Running<WorkRef>): void {
    running.looking ??= setTimeout(() => {
      running.looking = undefined;
      void this.#take(running);
    }, LOOK_AGAIN_MS);
  }

  async #perform(worker: Worker<WorkRef>, item: WorkRef): Promise<void> {
    try {
      await worker.perform(item, this.#lease);
    } catch (error) {
      this.#logger.error({ err: error, source: worker.source.name, work: item.id }, 'work failed; it is tried again');
    }
  }

  async #renew(): Promise<void> {
    const until = new Date(Date.now() + LEASE_MS);
    await this.#forItems((source, partition, ids) => source.renew(partition, ids, this.#lease, until));
  }

  async #forItems(
    statement: (source: WorkSource<WorkRef>, partition: number, ids: readonly string[]) => Statement,
  ): Promise<void> {
    const held = this.#workers.flatMap(({ worker: { source }, items }) =>
      [...Map.groupBy(items.values(), (item) => item.partition)].map(([partition, group]) =>
        this.#alone(`leases of ${source.name} in ${partition}`, async () => {
          const ids = group.map(({ id }) => id);
          await this.database.backgroundQuery(statement(source, partition, ids));
        }),
      ),
    );
    await Promise.all(held);
  }
}

function warm(running: Running<WorkRef>, partition: number): void {
  running.warm.set(partition, performance.now() + LOOK_MS);
}
