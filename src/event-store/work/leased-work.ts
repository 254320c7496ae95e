import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { LogPauses } from '../../platform/observability/log-pauses.js';
import { Peers } from '../../platform/workers/index.js';
import { EVENT_STORE_OPTIONS, type EventStoreOptions } from '../options.js';
import { Demand } from './demand.js';
import { HeldLease, moment, RENEW_MS } from './held-lease.js';
import { AwaitedCommands } from '../group-commit/awaited-commands.js';
import { Partitions } from '../log/partitions.js';
import { DueSearch } from './due-search.js';
import { Leases } from './leases.js';
import { type Running, runningNothing, SCAN_MS, warm } from './running-work.js';
import { SingleFlight } from './single-flight.js';
import type { ClaimedWork, Worker, WorkRef, WorkSource } from './work-source.js';
import { WakeUp } from '../log/wake-up.js';

const POLL_MS = 250;
/** Calls of other workers: a source has new items in a partition. */
const KIND = 'work';
const GRACE_MS = 5_000;
/** Items that end within this time are followed by one poll. */
const REPOLL_MS = 4;
/** On a database of several nodes, a claim at one of them delays the others no longer than this. */
const CLAIM_TIMEOUT_MS = 2_000;

/** Drives the workers of this process. */
@Injectable()
export class LeasedWork implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #workers: Running[] = [];
  readonly #demand: Demand;
  readonly #search: DueSearch;
  readonly #leases: Leases;
  readonly #logger = new Logger(LeasedWork.name);
  readonly #pauses = new LogPauses();
  #timers: NodeJS.Timeout[] = [];
  #stopListening: (() => void) | undefined;
  #stopped = false;

  constructor(
    private readonly database: Database,
    partitions: Partitions,
    private readonly wakeUp: WakeUp,
    private readonly peers: Peers,
    awaited: AwaitedCommands,
    @Inject(EVENT_STORE_OPTIONS) private readonly options: EventStoreOptions,
  ) {
    this.#demand = new Demand(awaited);
    const flights = new SingleFlight((what, error) => {
      if (this.#pauses.isDue('read', error))
        this.#logger.warn({ err: error, what }, 'due work could not be read, or a lease renewed');
    });
    this.#search = new DueSearch(database, partitions, peers, flights);
    this.#leases = new Leases(database, flights);
  }

  register<Item extends ClaimedWork>(worker: Worker<Item>): void {
    this.#workers.push(runningNothing(worker, this.#demand));
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
  sources(): readonly WorkSource<ClaimedWork>[] {
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
      setInterval(() => this.#search.scan(this.#workers), SCAN_MS),
      setInterval(() => void this.#leases.renew(this.#workers), RENEW_MS),
    ];
    this.#search.scan(this.#workers);
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
    await this.#leases.release(this.#workers);
  }

  async #poll(running: Running): Promise<void> {
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
      if (this.#pauses.isDue('claim', error))
        this.#logger.warn({ err: error, source: worker.source.name }, 'work could not be claimed');
    } finally {
      running.claiming = false;
    }
    if (claimed > 0 || running.pollAgain) void this.#poll(running);
  }

  async #claim(running: Running): Promise<number> {
    const { items, shares, pace } = running;
    const due = (await this.#search.dueOf(running)).filter(({ id }) => !items.has(id));
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

  async #start(running: Running, partition: number, refs: readonly WorkRef[]): Promise<number> {
    const { worker, items, shares, done } = running;
    const { source } = worker;
    const at = moment();
    const ids = refs.map(({ id }) => id);
    const rows = await this.#leases.claim(source, partition, ids);
    for (const row of rows) {
      const item = source.parse(row, new HeldLease(this.#leases.name, at));
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

  /** Slots are free again: an owner that had none left may have more due. */
  #pollSoon(running: Running): void {
    running.pollTimer ??= setTimeout(() => {
      running.pollTimer = undefined;
      void this.#poll(running);
    }, REPOLL_MS);
  }

  async #perform(worker: Worker<ClaimedWork>, item: ClaimedWork): Promise<void> {
    try {
      await worker.perform(item);
    } catch (error) {
      this.#logger.error({ err: error, source: worker.source.name, work: item.id }, 'work failed; it is retried');
    }
  }
}
