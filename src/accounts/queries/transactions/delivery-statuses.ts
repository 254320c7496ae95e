import { Injectable } from '@nestjs/common';

/** Tells the status of the newest delivery of each of the transactions that had any. */
export type DeliveryStatusSource = (
  partition: number,
  transactionIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** Where transactions learn how their notifications fare. Whoever delivers them registers; until then there is none. */
@Injectable()
export class DeliveryStatuses {
  #source: DeliveryStatusSource = async () => new Map();

  register(source: DeliveryStatusSource): void {
    this.#source = source;
  }

  of(partition: number, transactionIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return transactionIds.length === 0 ? Promise.resolve(new Map()) : this.#source(partition, transactionIds);
  }
}
