import type { IdempotencyKey } from './idempotency.js';
import type { EventMetadata, NewEvent, RecordedEvent } from '../log/event.js';
import type { Statement } from '../log/statement.js';
import type { LoadedRows, Reads } from '../projections/inline-projection.js';
import type { SubjectRef } from '../log/personal.js';

/** A secret written in the commit of a command's events, which refer to it by id. An existing one is replaced. */
export interface SecretToStore {
  readonly id: string;
  /** Already hashed or encrypted by the caller. */
  readonly value: Buffer;
}

/** Decides a command: pure, synchronous, with the time as an argument. A refusal is a thrown `AppError`. */
export type Decide = (rows: LoadedRows, at: Date, context: DecideContext) => readonly NewEvent[];

/** What a decision may ask beside rows. */
export interface DecideContext {
  /** The id of a subject that the command announced: the one that its sealed data will name. */
  subject(ref: SubjectRef): string;
  /** Whether a row was read for this command: if it was and is not there, there is none. */
  isRead(projection: string, key: string): boolean;
}

/** One unit of work on one partition: all of its events are appended, or none. */
export interface Append {
  readonly partition: number;
  /** Rows to load before deciding. Events may change only rows named here or in `creates`. */
  readonly reads: Reads;
  /** Keys of rows that cannot exist yet (their identifiers were just minted), so they are not read. */
  readonly creates?: Reads;
  readonly decide: Decide;
  readonly metadata: Omit<EventMetadata, 'idempotency'>;
  readonly idempotency?: IdempotencyKey;
  /** The key of the request that has this command among others: the first one that appends events carries it. */
  readonly requestIdempotency?: IdempotencyKey;
  /** Every subject that a `Personal` member of the command's events may name. */
  readonly subjects?: readonly SubjectRef[];
  readonly secrets?: readonly SecretToStore[];
  /**
   * Divides by zero unless what the command needs beside its rows is there. It is part of the commit: a command may be
   * held up until a standby that lagged is promoted, which lacks what was written for it before.
   */
  readonly requires?: Statement;
}

/** Whether somebody waits for its answer, as nobody does for what the rail or a timer asks for. */
export function isAwaited({ metadata }: Append): boolean {
  return metadata.requestId !== undefined;
}

/** What a command did. */
export interface Outcome {
  readonly events: readonly RecordedEvent[];
  /** The events are those of an earlier command with the same idempotency key; nothing was appended now. */
  readonly replayed: boolean;
}

/** Commands of one request. */
export interface Together {
  /** Whose they are: owners take turns, and each may have a share of the queue. */
  readonly owner: string;
  /** Whether they are appended in one commit, or none of them. */
  readonly atomic: boolean;
}
