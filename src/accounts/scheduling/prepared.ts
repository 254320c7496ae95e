import type { LoadedRows, NewEvent, Reads, SecretToStore, SubjectRef } from '../../event-store/index.js';
import type { ScheduleTerms } from './schedule-terms.js';

/** A transaction for later, before it is decided. */
export interface Prepared<Order> {
  /** As events have it. */
  readonly order: Order;
  readonly reads: Reads;
  /** Beside the transaction itself. */
  readonly creates: Reads;
  readonly subjects: readonly SubjectRef[];
  readonly secrets: readonly SecretToStore[];
  readonly decide: (rows: LoadedRows, id: string, terms: ScheduleTerms, at: Date) => readonly NewEvent[];
}
