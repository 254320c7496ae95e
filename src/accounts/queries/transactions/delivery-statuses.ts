import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../transactions/transaction.js';

/** Reads the status of the newest delivery of each transaction that has one. */
export type DeliveryStatusSource = (
  partition: number,
  transactions: readonly Transaction[],
) => Promise<ReadonlyMap<string, string>>;

/** The delivery statuses of transactions. The webhooks module registers its source; without it there are none. */
@Injectable()
export class DeliveryStatuses {
  #source: DeliveryStatusSource = async () => new Map();

  register(source: DeliveryStatusSource): void {
    this.#source = source;
  }

  of(partition: number, transactions: readonly Transaction[]): Promise<ReadonlyMap<string, string>> {
    return transactions.length === 0 ? Promise.resolve(new Map()) : this.#source(partition, transactions);
  }
}
