import { Injectable } from '@nestjs/common';
import { type Transaction, TransactionRows } from '../../accounts/index.js';
import { partitionOf, Partitions } from '../../event-store/index.js';
import { Names, type Owner } from '../names/names.js';

/** A transaction with its parties. */
export interface Owned {
  readonly transaction: Transaction;
  readonly owner: Owner;
}

export interface OwnedPage {
  readonly owned: readonly Owned[];
  /** Partitions that did not answer. */
  readonly away: readonly number[];
}

/** Reads the transactions that a search found. */
@Injectable()
export class OwnedTransactions {
  constructor(
    private readonly rows: TransactionRows,
    private readonly partitions: Partitions,
    private readonly names: Names,
  ) {}

  /**
   * The transactions with their parties, in the order of the identifiers; without those of partitions that do not
   * answer.
   */
  async of(ids: readonly string[]): Promise<OwnedPage> {
    const groups = Map.groupBy(ids, (id) => partitionOf(id)!);
    const { found, away } = await this.partitions.ask([...groups.keys()], async (partition) => {
      const transactions = await this.rows.some(partition, groups.get(partition)!);
      const owners = await this.names.owners(partition, transactions);
      return transactions.map((transaction): [string, Owned] => [
        transaction.id,
        { transaction, owner: owners.get(transaction.id)! },
      ]);
    });
    const byId = new Map(found.flatMap(([, owned]) => owned));
    return { owned: ids.flatMap((id) => byId.get(id) ?? []), away };
  }
}
