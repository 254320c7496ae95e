export const EVENT_STORE_OPTIONS = Symbol('event-store options');

export interface LaneOptions {
  /** Most commands in one transaction. */
  readonly batchSize: number;
  /** Most commands waiting; beyond it new ones are refused with 503. */
  readonly queueSize: number;
  /** Longest wait in the queue, in milliseconds; a command that would wait longer is refused with 503. */
  readonly maxQueueWait: number;
  /** Milliseconds from submission after which no attempt is made: the command is answered with what is known. */
  readonly deadline: number;
}

export interface EventStoreOptions {
  /** 32 bytes, `MASTER_KEY`: wraps the keys of data subjects. */
  readonly masterKey: Buffer;
  readonly lane: LaneOptions;
  /** The highest partition that must exist; another process may have created more. */
  readonly partitions: number;
  /** Whether this process follows the log (projections, sagas) and does leased work. */
  readonly runsBackground: boolean;
}

export const DEFAULT_LANE: LaneOptions = { batchSize: 256, queueSize: 4096, maxQueueWait: 750, deadline: 10_000 };
