import { Injectable } from '@nestjs/common';
import { foldStream, partitionOf, type RecordedEvent, WholeStreams } from '../../event-store/index.js';
import type { Transaction } from './transaction.js';
import { transactionProjection } from './transaction.projection.js';

/** What its stream is named after, with its id. */
type PixKind = 'cash-in' | 'cash-out' | 'refund';

/**
 * Transactions as their own events make them, and no row: what is paid, and whom, is taken from here. The password of
 * the service's role is enough to change a row, and to put it back without a trace; it is not for an event.
 */
@Injectable()
export class LoggedTransactions {
  constructor(private readonly streams: WholeStreams) {}

  /** @throws where the log does not have it, or its events contradict one another */
  async find(kind: PixKind, id: string): Promise<Transaction> {
    return transactionOf(id, await this.#events(kind, id));
  }

  /** @returns `undefined` where the log does not have it @throws where its events contradict one another */
  async findIfAny(kind: PixKind, id: string): Promise<Transaction | undefined> {
    const events = await this.#events(kind, id);
    return events.length === 0 ? undefined : transactionOf(id, events);
  }

  /** A transfer or a payout that was made for later. @throws where the log has neither, or contradicts itself */
  async findScheduled(id: string): Promise<Transaction> {
    const events = await Promise.all([this.#events('transfer', id), this.#events('cash-out', id)]);
    return transactionOf(id, events.flat());
  }

  #events(kind: string, id: string): Promise<readonly RecordedEvent[]> {
    return this.streams.read(partitionOf(id), `${kind}-${id}`);
  }
}

/**
 * @param events of its own stream
 * @throws where they are not those of this transaction, or contradict one another
 */
export function transactionOf(id: string, events: readonly RecordedEvent[]): Transaction {
  return foldStream<Transaction>({ what: 'transaction', id }, events, (transaction, event) =>
    transactionProjection.evolve(transaction, event, id),
  );
}
