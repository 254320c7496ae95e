import type { HeldLease } from './held-lease.js';
import type { Refusals } from './refusals.js';
import type { ClaimedWork } from './work-source.js';

/** One attempt to do a work item. */
export interface Attempt {
  /** How often the item was begun, this time included. */
  readonly attempts: number;
  /** Under which it is made: its own, or that of the queue which the item is in. */
  readonly lease: HeldLease;
  /** Where the attempt before this one was refused: see `WorkResult`. */
  readonly refusals: Refusals | null;
}

/** A work item (intention): something to do outside the log, or at a later time. */
export interface WorkItem extends ClaimedWork, Attempt {
  readonly kind: string;
  /** What it is about, such as a transaction. */
  readonly subject: string;
  readonly payload: unknown;
  readonly dueAt: Date;
}
