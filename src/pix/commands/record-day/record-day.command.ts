import { Command } from '@nestjs/cqrs';
import type { Mismatch } from '../../queries/reconciliation/reconciliation.query.js';

/** Records the nightly comparison of a day. */
export class RecordDay extends Command<void> {
  constructor(
    /** Calendar day of São Paulo, `2026-11-20`. */
    readonly day: string,
    readonly mismatched: number,
    readonly mismatches: readonly Mismatch[],
    /** The newest day of this run: the balance is read once, after it. */
    readonly isLast: boolean,
  ) {
    super();
  }
}
