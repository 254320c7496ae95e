import type { PoolClient } from 'pg';
import { type AsyncProjection, type RecordedEvent, Table } from '../../../event-store/index.js';
import { entriesOf, type Entry } from '../../domain/entry.js';

const table = new Table<Entry>({
  table: 'entry',
  columns: {
    accountUid: 'uuid',
    number: 'int',
    position: 'bigint',
    bucket: 'text',
    amount: 'bigint',
    balance: 'bigint',
    kind: 'text',
    transactionId: 'uuid',
    description: 'json',
    time: 'timestamptz',
  },
  key: ['accountUid', 'number'],
});

/** Statement entries of every account, system accounts included: an async projection of the postings. */
export const entryProjection: AsyncProjection<Entry> = {
  name: 'entries',
  tables: ['entry'],
  rowsOf: entriesOf,
  fixed: table.fixed(),
  compare: (partition, entries) => table.compare(partition, entries),
  count: (...page) => table.count(...page),

  async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<void> {
    const entries = events.flatMap(entriesOf);
    if (entries.length > 0) await client.query(table.insert(partition, entries));
  },
};
