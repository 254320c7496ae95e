import type { LaneOptions } from './lane.js';

export const EVENT_STORE_OPTIONS = Symbol('event-store options');

export interface EventStoreOptions {
  /** 32 bytes, `MASTER_KEY`: wraps the keys of data subjects. */
  readonly masterKey: Buffer;
  readonly lane: LaneOptions;
  /** The highest partition that this process is to find, at least; others may have made more. */
  readonly partitions: number;
  /** Whether this process follows the log (projections, sagas, leased work). */
  readonly follows: boolean;
}

export const DEFAULT_LANE: LaneOptions = { batchSize: 256, queueSize: 4096, patience: 750, deadline: 10_000 };
