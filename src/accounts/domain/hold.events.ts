import { defineEvent, type Personal } from '../../event-store/index.js';
import { describeEntries } from './entry.js';
import type { Posting } from './posting.js';

export const HOLD_CAUSES = ['Judicial', 'Med', 'Cautionary', 'Guarantee'] as const;
export type HoldCause = (typeof HOLD_CAUSES)[number];

/** What an executed hold pays, outside of this service. */
export const EXECUTION_KINDS = ['JudicialTransfer', 'MedReturn', 'GuaranteePayment'] as const;
export interface ExecutionDestination {
  readonly kind: (typeof EXECUTION_KINDS)[number];
  /** Of the payment outside. */
  readonly reference: string;
}

export const HOLD_STATUSES = ['Open', 'Closed'] as const;

/** A hold as it is after an event, for those who are told of it. Amounts are centavos in decimal text. */
export interface HoldAfter {
  readonly cause: HoldCause;
  readonly reference: string;
  readonly amount: string;
  readonly filled: string;
  readonly released: string;
  readonly executed: string;
  /** Absent for nothing. */
  readonly returned?: string;
  /** ISO 8601, UTC, as are the other dates. */
  readonly retryUntil?: string;
  readonly expiresAt?: string;
  readonly depositId?: string;
  readonly status: (typeof HOLD_STATUSES)[number];
  readonly placedAt: string;
}

export const HoldPlaced = defineEvent<{
  id: string;
  partnerUid: string;
  accountUid: string;
  cause: HoldCause;
  /** Of the order that asked for it. */
  reference: string;
  note?: Personal<string>;
  /** What is wanted: centavos in decimal text. */
  amount: string;
  /** What was there of it. */
  filled: string;
  /** Until then later credits fill it: ISO 8601, UTC. */
  retryUntil?: string;
  /** The transaction that brought the money, where a rule blocked it on its arrival. */
  depositId?: string;
  /** The rule that applied, as it was then. */
  rule?: { readonly id: string; readonly name: string };
  /** It is released then, whatever is still blocked: ISO 8601, UTC. */
  expiresAt?: string;
  postings: readonly Posting[];
}>()('HoldPlaced', 'An order blocked money of an account: what was available of the amount.');

export const HoldFilled = defineEvent<{
  /** Of this step. */
  id: string;
  holdId: string;
  partnerUid: string;
  accountUid: string;
  amount: string;
  /** What is still wanted. */
  unfilled: string;
  /** Absent in events of earlier versions. */
  hold?: HoldAfter;
  postings: readonly Posting[];
}>()('HoldFilled', 'Money that came in went to a hold that waits for it, in the same commit.');

export const HoldReleased = defineEvent<{
  /** Of this step. */
  id: string;
  holdId: string;
  partnerUid: string;
  accountUid: string;
  amount: string;
  /** The hold has ended. */
  closed: boolean;
  /** Its time was over; absent where somebody released it. */
  cause?: 'Expired';
  /** Absent in events of earlier versions. */
  hold?: HoldAfter;
  postings: readonly Posting[];
}>()('HoldReleased', 'Blocked money is available again.');

export const HoldExecuted = defineEvent<{
  /** Of this step. */
  id: string;
  holdId: string;
  partnerUid: string;
  accountUid: string;
  amount: string;
  destination: ExecutionDestination;
  /** The hold has ended. */
  closed: boolean;
  /** Absent in events of earlier versions. */
  hold?: HoldAfter;
  postings: readonly Posting[];
}>()('HoldExecuted', 'Blocked money left the account for what the order says; it is paid outside of this service.');

export const HoldDrawn = defineEvent<{
  /** Of this step. */
  id: string;
  holdId: string;
  partnerUid: string;
  accountUid: string;
  amount: string;
  /** The transaction that pays it. */
  transactionId: string;
  /** Nothing more is blocked. A transaction that fails opens the hold again. */
  closed: boolean;
  hold: HoldAfter;
  postings: readonly Posting[];
}>()('HoldDrawn', 'Blocked money is on its way out, by a transaction of this service, which holds it.');

export const HoldRestored = defineEvent<{
  /** Of this step. */
  id: string;
  holdId: string;
  partnerUid: string;
  accountUid: string;
  amount: string;
  /** The transaction that failed. */
  transactionId: string;
  hold: HoldAfter;
  postings: readonly Posting[];
}>()('HoldRestored', 'A transaction that paid from a hold failed: its money is blocked again, and the hold is open.');

/** Every step of a hold after the first one. */
export const HOLD_STEPS = [HoldFilled, HoldReleased, HoldExecuted, HoldDrawn, HoldRestored] as const;

describeEntries(HoldPlaced, ({ id }) => ({ kind: 'HoldPlaced', transactionId: id }));
describeEntries(HoldFilled, ({ holdId }) => ({ kind: 'HoldFilled', transactionId: holdId }));
describeEntries(HoldReleased, ({ holdId }) => ({ kind: 'HoldReleased', transactionId: holdId }));
describeEntries(HoldExecuted, ({ holdId }) => ({ kind: 'HoldExecuted', transactionId: holdId }));
describeEntries(HoldDrawn, ({ transactionId }) => ({ kind: 'HoldDrawn', transactionId }));
describeEntries(HoldRestored, ({ transactionId }) => ({ kind: 'HoldRestored', transactionId }));
