import type { Demand } from './demand.js';
import { Pace } from './pace.js';
import { Shares, type Slots } from './shares.js';
import { Turns } from './turns.js';
import type { ClaimedWork, Worker } from './work-source.js';

/** How often all partitions are scanned for due work, and for how long a result counts. */
export const SCAN_MS = 1_000;

/** A worker, and what it has in progress in this process. */
export interface Running<Item extends ClaimedWork = ClaimedWork> {
  readonly worker: Worker<Item>;
  readonly items: Map<string, Item>;
  readonly shares: Slots;
  readonly done: Set<Promise<void>>;
  /** Partitions that may have due items, and until when that counts, by the monotonic clock. */
  readonly warm: Map<number, number>;
  /** Owners that had due work or held slots at the last search, by partition. */
  readonly owners: Map<number, readonly string[]>;
  claiming: boolean;
  /** A poll was asked for while a claim was in progress, which may have missed the new items. */
  pollAgain: boolean;
  pollTimer: NodeJS.Timeout | undefined;
  /** Of work that gives way. */
  readonly pace: Pace | undefined;
}

export function runningNothing<Item extends ClaimedWork>(worker: Worker<Item>, demand: Demand): Running<Item> {
  return {
    worker,
    items: new Map(),
    shares: worker.inTurns ? new Turns() : new Shares(worker.concurrency),
    done: new Set(),
    warm: new Map(),
    owners: new Map(),
    claiming: false,
    pollAgain: false,
    pollTimer: undefined,
    pace: worker.givesWay ? new Pace(demand) : undefined,
  };
}

export function warm({ warm: partitions }: Running, partition: number): void {
  partitions.set(partition, performance.now() + SCAN_MS);
}
