import { defineEvent } from '../../../event-store/index.js';

/** The balance at the rail at a moment. Centavos. */
export interface BalanceRead {
  readonly at: string;
  readonly amount: string;
}

/** A movement of money at the rail: payments in and out, what we gave back, what came back to us. */
export const MOVEMENT_KINDS = ['PaymentIn', 'PaymentOut', 'RefundIn', 'RefundOut'] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** What differs: a movement, or the balance as a whole. */
export const CASE_KINDS = [...MOVEMENT_KINDS, 'Balance'] as const;
export type CaseKind = (typeof CASE_KINDS)[number];

export const DayReconciled = defineEvent<{
  /** Calendar day of São Paulo, `2026-11-20`. */
  day: string;
  /** Movements that were not the same on both sides. */
  mismatched: number;
  /** The newest balance of the rail, and the one before it; absent where the rail gives none. */
  balance?: BalanceRead;
  before?: BalanceRead;
}>()('DayReconciled', 'A day at the rail was compared with the ledger.');

export const ReconciliationCaseOpened = defineEvent<{
  id: string;
  /** The day that was compared. */
  day: string;
  kind: CaseKind;
  /** EndToEndId, identifier of the return; of a balance the moment at which it was read. */
  reference: string;
  transactionId: string | null;
  /** Centavos; `null` on a side that does not have it. */
  rail: string | null;
  ledger: string | null;
}>()('ReconciliationCaseOpened', 'The rail and the ledger differ: an operator must find the cause.');

export const ReconciliationCaseClosed = defineEvent<{
  id: string;
  /** The cause; it names no person. */
  note: string;
}>()('ReconciliationCaseClosed', 'An operator found the cause of a difference.');
