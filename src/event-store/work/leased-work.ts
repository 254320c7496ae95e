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
import { Peers } from '../../platform/workers/index.js';
import type { Statement } from '../log/statement.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from '../options.js';
import { Demand } from './demand.js';
import { Asked } from '../group-commit/asked.js';
import { Partitions } from '../log/partitions.js';
import { Pace } from './pace.js';
import { Shares, type Slots } from './shares.js';
import { Turns } from './turns.js';
import type { Worker, WorkPlace, WorkRef, WorkSource } from './work-source.js';
import { WakeUp } from '../log/wake-up.js';

const POLL_MS = 250;
/** Calls of other workers: a source has new items in a partition. */
const KIND = 'work';
/** How often all partitions are scanned for due work, and for how long a result counts. */
const SCAN_MS = 1_000;
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
/** For so long after a process has begun an item, no other can have begun it. */
export const UNDISTURBED_MS = LEASE_MS - RENEW_MS;
const GRACE_MS = 5_000;
/** Items that end within this time are followed by one poll. */
const REPOLL_MS = 4;
/** On a database of several nodes, a claim at one of them delays the others no longer than this. */
const CLAIM_TIMEOUT_MS = 2_000;

interface DueRow extends QueryResultRow {
  readonly partition: number;
  readonly id: string;
  readonly due_at: Date;
  readonly owner?: string;
  readonly target?: string;
}

interface DueWork extends WorkRef {
  readonly dueAt: Date;
}

interface Running<Item extends WorkRef> {
  readonly worker: Worker<Item>;
  readonly items: Map<string, Item>;
  readonly shares: Slots;
  readonly done: Set<Promise<void>>;
  /** Partitions that may have due items, and until when that counts, by the monotonic clock. */
  readonly warm: Map<number, number>;
  claiming: boolean;
  /** A poll was asked for while a claim was in progress, which may have missed the new items. */
  pollAgain: boolean;
  pollTimer: NodeJS.Timeout | undefined;
  /** Of work that gives way. */
  readonly pace: Pace | undefined;
}

/** Drives the workers of this process. */
@Injectable()
export class LeasedWork implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #lease = randomUUID();
  readonly #workers: Running<WorkRef>[] = [];
  readonly #demand: Demand;
  readonly #logger = new Logger(LeasedWork.name);
  #timers: NodeJS.Timeout[] = [];
  #stopListening: (() => void) | undefined;
  #stopped = false;
  /** Tasks in progress, so that a statement that hangs is not repeated. */
  readonly #inFlight = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly wakeUp: WakeUp,
    private readonly peers: Peers,
    asked: Asked,
    @Inject(EVENT_STORE_OPTIONS) private readonly options: EventStoreOptions,
  ) {
    this.#demand = new Demand(asked);
  }

  register<Item extends WorkRef>(worker: Worker<Item>): void {
    this.#workers.push({
      worker,
      items: new Map(),
      shares: worker.inTurns ? new Turns() : new Shares(worker.concurrency),
      done: new Set(),
      warm: new Map(),
      claiming: false,
      pollAgain: false,
      pollTimer: undefined,
      pace: worker.givesWay ? new Pace(this.#demand) : undefined,
    });
  }

  /**
   * Polls one source now: for a worker that has free slots before the next signal.
   * @param partition has new items; absent: the partitions that are known to have due items
   */
  poll(source: string, partition?: number): void {
    if (!this.options.runsBackground) return;
    const owner = partition === undefined ? undefined : this.peers.ownerOf(partition);
    // Without an answer the owner's next scan finds it.
    if (owner !== undefined) return void this.peers.call(owner, KIND, [source, partition]).catch(() => undefined);
    for (const running of this.#workers) {
      if (running.worker.source.name !== source) continue;
      if (partition !== undefined) warm(running, partition);
      void this.#poll(running);
    }
  }

  /** Every source that this process knows, whether it works on it or not. */
  sources(): readonly WorkSource<WorkRef>[] {
    return this.#workers.map(({ worker }) => worker.source);
  }

  /** Items in progress in this process, by source. */
  running(): ReadonlyMap<string, number> {
    return new Map(this.#workers.map(({ worker, items }) => [worker.source.name, items.size]));
  }

  onApplicationBootstrap(): void {
    if (!this.options.runsBackground) return;
    this.peers.serve(KIND, async (value) => this.poll(...(value as [string, number])));
    this.#stopListening = this.wakeUp.onWork((partition, sources) => {
      if (!this.peers.owns(partition)) return;
      for (const running of this.#workers) {
        if (sources && !sources.includes(running.worker.source.name)) continue;
        warm(running, partition);
        void this.#poll(running);
      }
    });
    this.#timers = [
      setInterval(() => this.#workers.forEach((running) => void this.#poll(running)), POLL_MS),
      setInterval(() => this.#scan(), SCAN_MS),
      setInterval(() => void this.#renew(), RENEW_MS),
    ];
    this.#scan();
  }

  /** Claims nothing more once the process is to stop. */
  beforeApplicationShutdown(): void {
    this.#stopped = true;
    this.#stopListening?.();
    this.#timers.slice(0, 2).forEach((timer) => clearInterval(timer));
  }

  /** Waits a while for the items in progress, and releases the leases of the rest. */
  async onApplicationShutdown(): Promise<void> {
    this.beforeApplicationShutdown();
    const all = Promise.all(this.#workers.flatMap(({ done }) => [...done]));
    const grace = new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref());
    await Promise.race([all, grace]);
    this.#timers.forEach((timer) => clearInterval(timer));
    await this.#forItems((source, partition, ids) => source.release(partition, ids, this.#lease));
  }

  /** Asks each partition separately which sources have due items, all sources of one place in one query. */
  #scan(): void {
    const byPlace = Map.groupBy(this.#workers, ({ worker }) => worker.source.place);
    for (const [place, workers] of byPlace) {
      const names = workers.map(({ worker }) => worker.source.name);
      for (const partition of (place.partitions ?? this.partitions.all()).filter((one) => this.peers.owns(one))) {
        void this.#unlessInFlight(`${names[0]} in ${partition}`, async () => {
          const now = new Date();
          const by = new Date(now.getTime() + SCAN_MS);
          const rows = await this.#ask(place, [partition], () =>
            this.database.backgroundQuery<{ source: string }>(place.waiting(partition, names, now, by)),
          );
          const waiting = new Set(rows.flatMap(([, found]) => found.map(({ source }) => source)));
          for (const running of workers) if (waiting.has(running.worker.source.name)) warm(running, partition);
        });
      }
    }
  }

  async #poll(running: Running<WorkRef>): Promise<void> {
    const { worker, shares, pace, warm: partitions } = running;
    if (running.claiming) running.pollAgain = true;
    if (this.#stopped || running.claiming || partitions.size === 0 || shares.room().limit === 0) return;
    if (pace?.isResting) return;
    running.claiming = true;
    running.pollAgain = false;
    let claimed = 0;
    try {
      claimed = await this.#claim(running);
    } catch (error) {
      this.#logger.warn({ err: error, source: worker.source.name }, 'work could not be claimed');
    } finally {
      running.claiming = false;
    }
    if (claimed > 0 || running.pollAgain) void this.#poll(running);
  }

  async #claim(running: Running<WorkRef>): Promise<number> {
    const { items, shares, pace } = running;
    const due = (await this.#due(running)).filter(({ id }) => !items.has(id));
    const fair = shares.pick(due);
    if (pace && due[0]) fair.length = pace.begin(fair.length, due[0].dueAt);
    let claimed = 0;
    const claims = [...Map.groupBy(fair, ({ partition }) => partition)].map(async ([partition, refs]) => {
      claimed += await this.#start(running, partition, refs);
    });
    const all = Promise.all(claims);
    if (!this.database.isSpread) await all;
    else await Promise.race([all, sleep(CLAIM_TIMEOUT_MS, undefined, { ref: false })]);
    all.catch(() => undefined);
    return claimed;
  }

  async #start(running: Running<WorkRef>, partition: number, refs: readonly WorkRef[]): Promise<number> {
    const { worker, items, shares, done } = running;
    const { source } = worker;
    const begunAt = performance.now();
    const now = new Date();
    const until = new Date(now.getTime() + LEASE_MS);
    const ids = refs.map(({ id }) => id);
    const rows = await this.database.backgroundQuery(source.claim(partition, ids, this.#lease, now, until));
    for (const item of rows.map((row) => source.parse(row, begunAt))) {
      items.set(item.id, item);
      shares.begin(item.share);
      const run = this.#perform(worker, item).finally(() => {
        items.delete(item.id);
        done.delete(run);
        if (shares.end(item.share)) this.#pollSoon(running);
      });
      done.add(run);
    }
    return rows.length;
  }

  /** Due items of the partitions that may have any, oldest first. A partition without any for a while is dropped. */
  async #due({ worker, items, shares, warm: partitions }: Running<WorkRef>): Promise<DueWork[]> {
    const { source } = worker;
    const now = new Date();
    const room = shares.room();
    const found = await this.#ask(
      source.place,
      [...partitions.keys()].filter((one) => this.peers.owns(one)),
      (partition) => this.database.backgroundQuery<DueRow>(source.due(now, room, partition)),
    );
    for (const [partition, rows] of found) {
      const isOver = rows.length === 0 && partitions.get(partition)! <= performance.now();
      if (isOver && ![...items.values()].some((item) => item.partition === partition)) partitions.delete(partition);
    }
    return found
      .flatMap(([, rows]) => rows)
      .sort((a, b) => a.due_at.getTime() - b.due_at.getTime())
      .map(({ partition, id, due_at: dueAt, owner, target }) =>
        owner === undefined ? { partition, id, dueAt } : { partition, id, dueAt, share: { owner, target: target! } },
      );
  }

  /** A place with partitions of its own is never skipped as unreachable. */
  async #ask<T>(
    place: WorkPlace,
    partitions: readonly number[],
    question: (partition: number) => Promise<T>,
  ): Promise<readonly (readonly [number, T])[]> {
    if (place.partitions) return Promise.all(partitions.map(async (one) => [one, await question(one)] as const));
    const reachable = partitions.filter((partition) => !this.partitions.isUnreachable(partition));
    return reachable.length === 0 ? [] : (await this.partitions.ask(reachable, question)).found;
  }

  /** Skipped while the same task is still in progress. */
  async #unlessInFlight(what: string, work: () => Promise<void>): Promise<void> {
    if (this.#inFlight.has(what)) return;
    this.#inFlight.add(what);
    try {
      await work();
    } catch (error) {
      this.#logger.warn({ err: error, what }, 'due work could not be read, or a lease renewed');
    } finally {
      this.#inFlight.delete(what);
    }
  }

  /** Slots are free again: an owner that had none left may have more due. */
  #pollSoon(running: Running<WorkRef>): void {
    running.pollTimer ??= setTimeout(() => {
      running.pollTimer = undefined;
      void this.#poll(running);
    }, REPOLL_MS);
  }

  async #perform(worker: Worker<WorkRef>, item: WorkRef): Promise<void> {
    try {
      await worker.perform(item, this.#lease);
    } catch (error) {
      this.#logger.error({ err: error, source: worker.source.name, work: item.id }, 'work failed; it is retried');
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
        this.#unlessInFlight(`leases of ${source.name} in ${partition}`, async () => {
          const ids = group.map(({ id }) => id);
          await this.database.backgroundQuery(statement(source, partition, ids));
        }),
      ),
    );
    await Promise.all(held);
  }
}

function warm(running: Running<WorkRef>, partition: number): void {
  running.warm.set(partition, performance.now() + SCAN_MS);
}
