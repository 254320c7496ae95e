import { Query } from '@nestjs/cqrs';
import type { RailMovement } from '../../rails/pix-rail.js';

/** Number and sum of movements; centavos. */
export interface Total {
  readonly count: number;
  readonly amount: bigint;
}

/** A movement that differs between rail and ledger; `null` on a side that does not have it. Centavos. */
export interface Mismatch {
  readonly kind: RailMovement['kind'];
  /** EndToEndId, or identifier of the return. */
  readonly id: string;
  readonly transactionId: string | null;
  readonly rail: bigint | null;
  readonly ledger: bigint | null;
}

export interface Reconciliation {
  readonly from: Date;
  readonly to: Date;
  readonly rail: Readonly<Record<RailMovement['kind'], Total>>;
  readonly ledger: Readonly<Record<RailMovement['kind'], Total>>;
  /** How many there are; the list holds the first thousand. */
  readonly mismatched: number;
  readonly mismatches: readonly Mismatch[];
}

/** Compares a day's movements at the rail with the ledger's, by the rail's time. */
export class ReconcileDay extends Query<Reconciliation> {
  constructor(
    /** Calendar day of São Paulo, `2026-11-20`. */
    readonly day: string,
  ) {
    super();
  }
}
