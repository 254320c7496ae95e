import { Injectable } from '@nestjs/common';
import { partitionOf, Partitions } from '../../event-store/index.js';
import { uuidOfTxid } from '../../pix/index.js';
import { Database } from '../../platform/database/index.js';
import { subjectsIn } from '../projection/changes.js';
import { type OwnedPage, OwnedTransactions } from './owned-transactions.js';
import { Persons } from './persons.js';
import type { SearchFilters } from './search-filters.js';

const MAX_OF_ONE_KEY = 100;

/** Finds transactions by a unique key; what their indexes do not know of the other filters is compared with each. */
@Injectable()
export class KeyedSearch {
  constructor(
    private readonly database: Database,
    private readonly owned: OwnedTransactions,
    private readonly persons: Persons,
    private readonly partitions: Partitions,
  ) {}

  /** @returns `undefined` where no filter is a unique key */
  async find(filters: SearchFilters, partitions: readonly number[]): Promise<OwnedPage | undefined> {
    const { txid, taxNumber, partnerUid } = filters;
    const page = await this.#byKey(filters, partitions);
    if (!page) return undefined;
    const fitting = page.owned.filter(({ transaction: { type } }) => txid === undefined || type === 'CashIn');
    if (taxNumber === undefined || fitting.length === 0) return { ...page, owned: fitting };
    const { found, away } = await this.persons.subjectsOf(taxNumber, partnerUid);
    const subjects = new Set(found.flatMap(([, ofPartition]) => ofPartition));
    const unsure = new Set(fitting.map(({ transaction: { id } }) => partitionOf(id)!));
    return {
      owned: fitting.filter(({ transaction }) => subjectsIn(transaction).some((one) => subjects.has(one))),
      away: [...new Set([...page.away, ...away.filter((one) => unsure.has(one))])].sort((a, b) => a - b),
    };
  }

  /** Transactions by a unique key among the filters; `undefined` without one. */
  async #byKey(filters: SearchFilters, partitions: readonly number[]): Promise<OwnedPage | undefined> {
    const { id, txid, endToEndId } = filters;
    if (id !== undefined || txid !== undefined) {
      const ids = [...(id === undefined ? [] : [id]), ...(txid === undefined ? [] : [uuidOfTxid(txid) ?? ''])];
      const [only] = ids;
      // Two different ones match nothing.
      const isNamed = new Set(ids).size === 1 && partitionOf(only!) !== undefined;
      return isNamed ? this.owned.of([only!]) : { owned: [], away: [] };
    }
    if (endToEndId === undefined) return undefined;
    const { found, away } = await this.partitions.ask(partitions, (partition) =>
      this.database.query<{ id: string }>({
        name: 'search-end-to-end-id',
        text: `
          select id from transaction where partition = $1 and end_to_end_id = $2
          order by id desc limit ${MAX_OF_ONE_KEY}`,
        values: [partition, endToEndId],
      }),
    );
    const ids = found.flatMap(([, rows]) => rows.map(({ id }) => id));
    const { owned, away: lost } = await this.owned.of(ids.sort().reverse().slice(0, MAX_OF_ONE_KEY));
    return { owned, away: [...away, ...lost].sort((a, b) => a - b) };
  }
}
