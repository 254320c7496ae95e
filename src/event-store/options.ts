export const EVENT_STORE_OPTIONS = Symbol('event-store options');

export interface LaneOptions {
  /** Commands in one transaction at most. */
  readonly batchSize: number;
  /** Commands waiting at most; beyond it new ones are refused with 503. */
  readonly queueSize: number;
  /** Milliseconds that a command may have to wait for its turn; where it would be more, it is refused with 503. */
  readonly patience: number;
  /** Milliseconds from submission after which nothing is begun any more: the command is answered with what is known. */
  readonly deadline: number;
}

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
