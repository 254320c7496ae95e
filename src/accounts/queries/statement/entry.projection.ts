import type { PoolClient } from 'pg';
import { type AsyncProjection, type RecordedEvent, Table } from '../../../event-store/index.js';
import { rowsOfEntries, type Entry } from '../../domain/entry.js';

const table = new Table<Entry>({
  table: 'entry',
  columns: {
    accountUid: 'uuid',
    position: 'bigint',
    number: 'int',
    bucket: 'text',
    amount: 'bigint',
    balance: 'bigint',
    kind: 'text',
    transactionId: 'uuid',
    description: 'json',
    time: 'timestamptz',
  },
  key: ['accountUid', 'position', 'number'],
});

/**
 * Statement entries of every account, system accounts included, but those of transfers made at once: an async
 * projection of the postings.
 */
export const entryProjection: AsyncProjection<Entry> = {
  name: 'entries',
  tables: ['entry'],
  rowsOf: rowsOfEntries,
  fixed: table.fixed(),
  compare: (partition, entries) => table.compare(partition, entries),
  count: (...page) => table.count(...page),

  async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<void> {
    const entries = events.flatMap(rowsOfEntries);
    if (entries.length > 0) await client.query(table.insert(partition, entries));
  },
};
