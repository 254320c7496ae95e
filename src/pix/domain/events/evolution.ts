import type { Transaction, TransactionState } from '../../../accounts/index.js';
import type { RecordedEvent } from '../../../event-store/index.js';

/** @throws TypeError for an event of a transaction that was never registered: the log is not one of ours */
export function known(transaction: Transaction | undefined, event: RecordedEvent): Transaction {
  if (!transaction) throw new TypeError(`${event.type} is about a transaction that was never registered`);
  return transaction;
}

/** The transaction after an event of its own stream that moved it to a state. */
export function reached(
  transaction: Transaction | undefined,
  event: RecordedEvent,
  state: TransactionState,
  changes: Partial<Transaction> = {},
): Transaction {
  const before = known(transaction, event);
  const stateDates = { ...before.stateDates, [state]: event.time.toISOString() };
  return { ...before, ...changes, state, stateDates, version: event.version };
}

/** The transaction with more in its details. */
export function withDetails(transaction: Transaction, details: object): Transaction {
  return { ...transaction, details: { ...transaction.details, ...details } };
}
