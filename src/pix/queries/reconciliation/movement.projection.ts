import type { PoolClient } from 'pg';
import type { AsyncProjection, RecordedEvent } from '../../../event-store/index.js';
import { encodeArray } from '../../../platform/database/index.js';
import { type Movement, MOVEMENT_TYPES, movementOf } from './movement.js';

const rowsOf = (event: RecordedEvent): readonly Movement[] => {
  const movement = movementOf(event);
  return movement ? [movement] : [];
};

/** What moved at the rail by the ledger's account of it: the one side of reconciliation. */
export const movementProjection: AsyncProjection<Movement> = {
  name: 'pix-movements',
  tables: ['pix_movement'],
  handles: MOVEMENT_TYPES,
  rowsOf,

  fixed: {
    scan: {
      name: 'pix-movement-scan',
      text: `
      select kind, rail_id, amount, date_part('epoch', at), transaction_id, position
      from pix_movement
      where partition = $1 and (kind, rail_id) > ($3, $4)
      order by kind, rail_id limit $2`,
      first: ['', ''],
      position: 5,
    },

    textsOf: (movement) => [
      movement.kind,
      movement.id,
      String(movement.amount),
      String(movement.at.getTime() / 1000),
      movement.transactionId,
      String(movement.position),
    ],
  },

  compare: (partition, movements) => ({
    name: 'pix-movement-compare',
    text: `
      select n.position::text, n.kind || '/' || n.rail_id as key, d.field, d.expected, d.found
      from unnest($2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::uuid[], $7::bigint[])
        as n (kind, rail_id, amount, at, transaction_id, position)
      left join pix_movement m on m.partition = $1 and m.kind = n.kind and m.rail_id = n.rail_id
      cross join lateral (
        values ('rail_id', n.rail_id, m.rail_id), ('amount', n.amount::text, m.amount::text),
          ('at', n.at::text, m.at::text), ('transaction_id', n.transaction_id::text, m.transaction_id::text),
          ('position', n.position::text, m.position::text)
      ) as d (field, expected, found)
      where d.expected is distinct from d.found`,
    values: [partition, ...columnsOf(movements)],
  }),

  count: (partition, afterKey, upTo, limit) => {
    const [kind = '', railId = ''] = afterKey?.split('/') ?? [];
    return {
      name: 'pix-movement-count',
      text: `
        with page as (
          select kind, rail_id, position from pix_movement
          where partition = $1 and (kind, rail_id) > ($2, $3)
          order by kind, rail_id limit $5)
        select count(*) filter (where position <= $4)::int as counted, count(*)::int as seen, max(position) as newest,
          (select kind || '/' || rail_id from page order by kind desc, rail_id desc limit 1) as last
        from page`,
      values: [partition, kind, railId, upTo, limit],
    };
  },

  async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<void> {
    const movements = events.flatMap(rowsOf);
    if (movements.length === 0) return;
    await client.query({
      name: 'pix-movement-insert',
      text: `
        insert into pix_movement (partition, kind, rail_id, amount, at, transaction_id, position)
        select $1, n.kind, n.rail_id, n.amount, n.at, n.transaction_id, n.position
        from unnest($2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::uuid[], $7::bigint[])
          as n (kind, rail_id, amount, at, transaction_id, position)`,
      values: [partition, ...columnsOf(movements)],
    });
  },
};

/** Rows as columns, for `unnest`: in binary, since a replay sends millions of them. */
function columnsOf(movements: readonly Movement[]): Buffer[] {
  return [
    encodeArray(
      'text',
      movements.map((movement) => movement.kind),
    ),
    encodeArray(
      'text',
      movements.map((movement) => movement.id),
    ),
    encodeArray(
      'bigint',
      movements.map((movement) => movement.amount),
    ),
    encodeArray(
      'timestamptz',
      movements.map((movement) => movement.at),
    ),
    encodeArray(
      'uuid',
      movements.map((movement) => movement.transactionId),
    ),
    encodeArray(
      'bigint',
      movements.map((movement) => movement.position),
    ),
  ];
}
