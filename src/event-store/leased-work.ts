import { randomUUID } from 'node:crypto';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database } from '../platform/database/index.js';
import type { Statement } from './inline-projection.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from './options.js';
import { type Room, Shares, type WorkShare } from './shares.js';
import { WakeUp } from './wake-up.js';

/** Where an item of work stands: enough to claim it. */
export interface WorkRef {
  readonly partition: number;
  readonly id: string;
  /** Whose slots it takes, where slots are shared among several. */
  readonly share?: WorkShare;
}

/** Work in a table, and how it is found: without a lock, to be claimed in one partition at a time. */
export type WorkSource<Item extends WorkRef> = WholeWorkSource<Item> | PartitionedWorkSource<Item>;

/** A source whose candidates are found in all partitions at once. */
export interface WholeWorkSource<Item extends WorkRef> extends LeasedTable<Item> {
  readonly partitions?: undefined;
  /** Rows that are due and not leased, oldest first, found without a lock: columns `partition` and `id`. */
  due(now: Date, limit: number): Statement;
}

/** A source that is looked through partition by partition, and whose slots are shared among owners and their targets. */
export interface PartitionedWorkSource<Item extends WorkRef> extends LeasedTable<Item> {
  /** Those in which anything may be due: column `partition`. */
  partitions(): Statement;
  /**
   * Of one partition: of each owner no more than it has room for, and of every owner that has room some, however much
   * is due to the others. Columns `partition`, `id`, `owner`, `target` and `due_at`.
   */
  due(now: Date, room: Room, partition: number): Statement;
}

/**
 * A table whose rows are work. A row is taken for a short time ("lease") that is renewed while it is worked on,
 * so the work of a killed process moves on within seconds; whatever the work writes to its row is fenced by
 * the lease. Times are parameters: statements never ask the database for the time. A lease that would last for more than
 * a minute is of a process whose clock was ahead, and counts as none.
 */
interface LeasedTable<Item extends WorkRef> {
  readonly name: string;
  /** Leases those of the rows that are still free, skipping what another process is claiming; returns them. */
  claim(partition: number, ids: readonly string[], lease: string, now: Date, until: Date): Statement;
  renew(partition: number, ids: readonly string[], lease: string, until: Date): Statement;
  /** Gives rows back untouched, at shutdown. */
  release(partition: number, ids: readonly string[], lease: string): Statement;
  parse(row: QueryResultRow): Item;
  /** Counts what is due, for operators: one row with `due` (a bounded count) and `oldest` (the due time of the oldest). */
  backlog(now: Date): Statement;
}

export interface Worker<Item extends WorkRef> {
  readonly source: WorkSource<Item>;
  /** Items at work at once in this process; where slots are shared, of one owner that is alone. */
  readonly concurrency: number;
  /** Does the work and writes its result to the row, fenced by `lease`. A throw leaves the row until its lease ends. */
  perform(item: Item, lease: string): Promise<void>;
}

const POLL_MS = 250;
const LEASE_MS = 6_000;
const RENEW_MS = 2_000;
const GRACE_MS = 5_000;
/** Items that end within it make room for one look. */
const LOOK_AGAIN_MS = 4;

interface Running<Item extends WorkRef> {
  readonly worker: Worker<Item>;
  readonly items: Map<string, Item>;
  readonly shares: Shares;
  readonly done: Set<Promise<void>>;
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

  constructor(
    private readonly database: Database,
    private readonly wakeUp: WakeUp,
    @Inject(EVENT_STORE_OPTIONS) private readonly options: EventStoreOptions,
  ) {}

  register<Item extends WorkRef>(worker: Worker<Item>): void {
    this.#workers.push({
      worker: worker,
      items: new Map(),
      shares: new Shares(worker.concurrency),
      done: new Set(),
      claiming: false,
      again: false,
      looking: undefined,
    });
  }

  /** Looks for work of one source now: for a worker that has made room for more before the next signal. */
  look(source: string): void {
    if (!this.options.follows) return;
    for (const running of this.#workers) if (running.worker.source.name === source) void this.#take(running);
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
    const look = (sources?: readonly string[]) => {
      for (const running of this.#workers) {
        if (!sources || sources.includes(running.worker.source.name)) void this.#take(running);
      }
    };
    this.#stopListening = this.wakeUp.onWork(look);
    this.#timers = [setInterval(() => look(), POLL_MS), setInterval(() => void this.#renew(), RENEW_MS)];
  }

  /** Takes nothing new from the moment on at which the process is to stop. */
  beforeApplicationShutdown(): void {
    this.#stopped = true;
    this.#stopListening?.();
    clearInterval(this.#timers[0]);
  }

  /** Waits a while for what is at work, and gives back the rest. */
  async onApplicationShutdown(): Promise<void> {
    this.beforeApplicationShutdown();
    const [, renew] = this.#timers;
    const all = Promise.all(this.#workers.flatMap(({ done }) => [...done]));
    const grace = new Promise((resolve) => setTimeout(resolve, GRACE_MS).unref());
    await Promise.race([all, grace]);
    clearInterval(renew);
    await this.#forItems((source, partition, ids) => source.release(partition, ids, this.#lease));
  }

  async #take(running: Running<WorkRef>): Promise<void> {
    const { worker, shares } = running;
    if (running.claiming) running.again = true;
    if (this.#stopped || running.claiming || (!worker.source.partitions && shares.roomOf() === 0)) return;
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
    const { worker, items, shares, done } = running;
    const { source } = worker;
    const due = await this.#due(source, shares);
    const fair = shares.pick(due.filter(({ id }) => !items.has(id)));
    const byPartition = Map.groupBy(fair, ({ partition }) => partition);
    let claimed = 0;
    const claims = [...byPartition].map(async ([partition, refs]) => {
      const now = new Date();
      const until = new Date(now.getTime() + LEASE_MS);
      const ids = refs.map(({ id }) => id);
      const rows = await this.database.backgroundQuery(source.claim(partition, ids, this.#lease, now, until));
      for (const item of rows.map((row) => source.parse(row))) {
        claimed += 1;
        items.set(item.id, item);
        shares.begin(item.share);
        const run = this.#perform(worker, item).finally(() => {
          items.delete(item.id);
          done.delete(run);
          if (shares.end(item.share) && item.share) this.#lookAgain(running);
        });
        done.add(run);
      }
    });
    await Promise.all(claims);
    return claimed;
  }

  async #due(source: WorkSource<WorkRef>, shares: Shares): Promise<WorkRef[]> {
    const now = new Date();
    if (!source.partitions) {
      return this.database.backgroundQuery<WorkRef & QueryResultRow>(source.due(now, shares.roomOf()));
    }
    const found = await this.database.backgroundQuery<{ partition: number }>(source.partitions());
    const room = shares.room();
    const due = await Promise.all(
      found.map(({ partition }) =>
        this.database.backgroundQuery<WorkRef & WorkShare & { due_at: Date }>(source.due(now, room, partition)),
      ),
    );
    return due
      .flat()
      .sort((a, b) => a.due_at.getTime() - b.due_at.getTime())
      .map(({ partition, id, owner, target }) => ({ partition, id, share: { owner, target } }));
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
    for (const { worker, items } of this.#workers) {
      for (const [partition, group] of Map.groupBy(items.values(), (item) => item.partition)) {
        const ids = group.map(({ id }) => id);
        try {
          await this.database.backgroundQuery(statement(worker.source, partition, ids));
        } catch (error) {
          this.#logger.warn({ err: error, source: worker.source.name }, 'leases could not be renewed');
        }
      }
    }
  }
}
