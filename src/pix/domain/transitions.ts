import {
  type Transaction,
  type TransactionState,
  type TransactionType,
  TransitionNotAllowed,
} from '../../accounts/index.js';

/** One allowed change of state, and what brings it about. */
export interface Transition {
  readonly type: Exclude<TransactionType, 'Transfer'>;
  readonly from: TransactionState | null;
  readonly to: TransactionState;
  readonly event: string;
  readonly when: string;
}

/**
 * Every change of state there is (contract 3, decisions 6 and 7). Whatever is not here is refused; a notification of
 * the rail that asks for it changes nothing. `docs/pix.md` shows this table.
 */
export const TRANSITIONS: readonly Transition[] = [
  { type: 'CashOut', from: null, to: 'Registered', event: 'CashOutRegistered', when: 'the request is accepted' },
  { type: 'CashOut', from: null, to: 'Scheduled', event: 'CashOutScheduled', when: 'it is accepted for a later time' },
  { type: 'CashOut', from: 'Scheduled', to: 'Registered', event: 'CashOutRegistered', when: 'its time has come' },
  {
    type: 'CashOut',
    from: 'Scheduled',
    to: 'Error',
    event: 'CashOutRefused',
    when: 'a rule or the funds do not allow it at its time, or its order is used already',
  },
  {
    type: 'CashOut',
    from: 'Scheduled',
    to: 'Cancelled',
    event: 'CashOutCancelled',
    when: 'the partner cancelled it before its time',
  },
  {
    type: 'CashOut',
    from: 'Registered',
    to: 'Completed',
    event: 'CashOutCompleted',
    when: 'the rail has paid the recipient',
  },
  {
    type: 'CashOut',
    from: 'Registered',
    to: 'Error',
    event: 'CashOutErrored',
    when: "the key is unknown or another's, the rail refused, or the payee is forgotten",
  },
  {
    type: 'CashOut',
    from: 'Registered',
    to: 'Reversed',
    event: 'CashOutReversed',
    when: 'the receiving bank returned it before completion',
  },
  { type: 'CashIn', from: null, to: 'Registered', event: 'CashInRegistered', when: 'the request is accepted' },
  {
    type: 'CashIn',
    from: 'Registered',
    to: 'Completed',
    event: 'CashInCompleted',
    when: 'a payment that fits arrived in time',
  },
  {
    type: 'CashIn',
    from: 'Registered',
    to: 'Error',
    event: 'CashInErrored',
    when: 'a payment that does not fit arrived, or the account is inactive: it goes back',
  },
  {
    type: 'CashIn',
    from: 'Registered',
    to: 'Reversed',
    event: 'CashInReversed',
    when: 'the rail returned the payment before completion',
  },
  {
    type: 'CashIn',
    from: 'Registered',
    to: 'Cancelled',
    event: 'CashInCancelled',
    when: 'it was not paid in time, or the partner cancelled it',
  },
  {
    type: 'Refund',
    from: null,
    to: 'Registered',
    event: 'RefundRegistered',
    when: "the request is accepted, or the payee's bank sent money back",
  },
  { type: 'Refund', from: 'Registered', to: 'Completed', event: 'RefundCompleted', when: 'the money arrived' },
  { type: 'Refund', from: 'Registered', to: 'Error', event: 'RefundErrored', when: 'the rail refused it' },
];

export function isAllowed(type: TransactionType, from: TransactionState | null, to: TransactionState): boolean {
  return TRANSITIONS.some((one) => one.type === type && one.from === from && one.to === to);
}

/**
 * Whether a transaction may become something, for notifications: what may not be changes nothing. The rail knows
 * nothing of one that waits for its time.
 */
export function canBecome(transaction: Transaction, to: TransactionState): boolean {
  return transaction.state !== 'Scheduled' && isAllowed(transaction.type, transaction.state, to);
}

/** @throws TransitionNotAllowed */
export function assertCanBecome(transaction: Transaction, to: TransactionState): void {
  if (!canBecome(transaction, to)) throw new TransitionNotAllowed(transaction.state, to);
}
