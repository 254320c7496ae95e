import { InternalError, ServiceUnavailable } from '../../platform/errors/index.js';
import type { IdempotencyKey } from './idempotency.js';
import type { EventMetadata, NewEvent, RecordedEvent } from '../log/event.js';
import type { LoadedRows, Reads } from '../projections/inline-projection.js';
import type { SubjectRef } from '../log/personal.js';

/** A secret written beside a command's events, in the same commit; events refer to it by id. One that stands is replaced. */
export interface SecretToStore {
  readonly id: string;
  /** Already hashed or encrypted by the caller. */
  readonly value: Buffer;
}

/** What decides: pure, synchronous, and told the time. A refusal is a thrown `AppError`. */
export type Decide = (rows: LoadedRows, at: Date) => readonly NewEvent[];

/** One unit of work on one partition: all of its events are appended, or none. */
export interface Append {
  readonly partition: number;
  /** Rows to load before deciding. Events may change only rows named here or in `creates`. */
  readonly reads: Reads;
  /** Keys of rows that cannot exist yet (their identifiers were just minted), so that none is looked for. */
  readonly creates?: Reads;
  readonly decide: Decide;
  readonly metadata: Omit<EventMetadata, 'idempotency'>;
  readonly idempotency?: IdempotencyKey;
  /** Every subject that a `Personal` member of the command's events may name. */
  readonly subjects?: readonly SubjectRef[];
  readonly secrets?: readonly SecretToStore[];
}

/** What a command did. */
export interface Outcome {
  readonly events: readonly RecordedEvent[];
  /** The events are those of an earlier command with the same idempotency key; nothing was appended now. */
  readonly replayed: boolean;
}

/** A row that the command was to make stands already, under the same unique key. Nothing was done. */
export class DuplicateRow extends InternalError {}

/** 503: a partition's log has no head, or events beyond it. Repeating helps once an operator has put that right. */
export class LogContradicted extends ServiceUnavailable {
  constructor() {
    super('The log contradicts its head: an operator must look at it. Nothing was done.', 60);
  }
}
