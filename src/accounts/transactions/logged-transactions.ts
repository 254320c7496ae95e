import { type Transaction, transactionProjection } from '../../accounts/index.js';
import type { EventOf, RecordedEvent } from '../../event-store/index.js';
import { type CashOutDetails, detailsOf } from '../domain/details.js';
import { CashOutRegistered } from '../domain/events/index.js';

/**
 * A payout or a refund as the events of its own stream make it, and no row.
 * @throws where they are not those of this transaction, or contradict one another
 */
export function fromLog(id: string, events: readonly RecordedEvent[]): Transaction {
  let transaction: Transaction | undefined;
  for (const [i, event] of events.entries()) {
    if (event.version !== i + 1 || (event.data as { id?: unknown }).id !== id) {
      throw new Error(`event ${event.position} of partition ${event.partition} is none of the transaction ${id}`);
    }
    transaction = transactionProjection.evolve(transaction, event, id);
    if (CashOutRegistered.is(event)) assertAsScheduled(transaction, event);
  }
  if (!transaction) throw new Error(`the log has no transaction ${id}`);
  return transaction;
}

/** A scheduled payout is accepted by its row: what was accepted must be what its first event says. */
function assertAsScheduled(transaction: Transaction, { data: accepted }: EventOf<typeof CashOutRegistered>): void {
  const { id, amount, charges, accountUid } = transaction;
  const { recipient } = detailsOf<CashOutDetails>(transaction);
  const isSame =
    accepted.amount === amount.toString() &&
    accepted.charges === charges.toString() &&
    accepted.accountUid === accountUid &&
    accepted.recipient.subject === recipient.subject &&
    accepted.recipient.sealed === recipient.sealed;
  if (!isSame) throw new Error(`the payout ${id} was accepted otherwise than it was scheduled`);
}
