import type { PoolClient } from 'pg';
import { type AsyncProjection, type RecordedEvent, Table } from '../../../event-store/index.js';
import { type Movement, MOVEMENT_TYPES, movementOf } from './movement.js';

type Row = Omit<Movement, 'id'> & { readonly railId: string };

const table = new Table<Row>({
  table: 'pix_movement',
  columns: {
    kind: 'text',
    railId: 'text',
    amount: 'bigint',
    at: 'timestamptz',
    transactionId: 'uuid',
    position: 'bigint',
  },
  key: ['kind', 'railId'],
});

function rowsOf(event: RecordedEvent): Row[] {
  const movement = movementOf(event);
  if (!movement) return [];
  const { id: railId, ...row } = movement;
  return [{ ...row, railId }];
}

/** Movements at the rail by the ledger: one side of reconciliation. */
export const movementProjection: AsyncProjection<Row> = {
  name: 'pix-movements',
  tables: ['pix_movement'],
  handles: MOVEMENT_TYPES,
  rowsOf,
  fixed: table.fixed(),
  compare: (partition, rows) => table.compare(partition, rows),
  count: (...page) => table.count(...page),

  async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<void> {
    const rows = events.flatMap(rowsOf);
    if (rows.length > 0) await client.query(table.insert(partition, rows));
  },
};
