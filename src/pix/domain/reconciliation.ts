import type { BalanceRead, CaseKind } from './events/reconciliation.events.js';

/** A day that was compared. */
export interface ReconciledDay {
  readonly day: string;
  readonly mismatched: number;
  readonly balance: BalanceRead | null;
  readonly before: BalanceRead | null;
}

export const CASE_STATUSES = ['Open', 'Closed'] as const;

/** A difference that somebody has to look at, or has looked at. */
export interface ReconciliationCase {
  readonly id: string;
  readonly day: string;
  readonly kind: CaseKind;
  readonly reference: string;
  readonly transactionId: string | null;
  /** Centavos. */
  readonly rail: bigint | null;
  readonly ledger: bigint | null;
  readonly status: (typeof CASE_STATUSES)[number];
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  /** `operator:<name>`. */
  readonly closedBy: string | null;
  readonly note: string | null;
}
