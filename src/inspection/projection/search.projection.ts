import type { PoolClient, QueryResultRow } from 'pg';
import { type AsyncProjection, type RecordedEvent, Table } from '../../event-store/index.js';
import { addedTables } from './added-tables.js';
import { AT_ONCE, type Change, changesOf, isAtOnce, type SearchRow } from './changes.js';
import { addTotals, type Transition } from './totals.js';

const table = new Table<SearchRow>({
  table: 'transaction_search',
  columns: {
    id: 'uuid',
    partnerUid: 'uuid',
    type: 'text',
    state: 'text',
    amount: 'bigint',
    orderId: 'text',
    refundOf: 'uuid',
    registeredAt: 'timestamptz',
    scheduledFor: 'timestamptz',
    position: 'bigint',
    version: 'int',
    changes: 'int',
    changedPosition: 'bigint',
  },
  alike: [['type', 'state', 'refundOf', 'scheduledFor', 'version', 'changes'], ['orderId']],
  changes: ['state', 'version', 'changes', 'changedPosition'],
});
const stored = table.inline();

/**
 * The search index of payments and scheduled transfers, and the totals of all transactions over time. It has its own
 * tables and indexes, so that searches cost the write path nothing. Fields of the creation are fixed; the state
 * changes.
 */
export const searchProjection: AsyncProjection<Change> = {
  name: 'transaction-search',
  tables: ['transaction_total', 'transaction_subject', 'transaction_search'],
  rowsOf: changesOf,

  // Transfers made at once are in the totals only: searches find them in the view of transactions.
  stores: ({ created }) => !created || !isAtOnce(created),

  adds: addedTables,

  // A change has what its event knows: the first one the whole row, the last one the present state. A row with another
  // version, which hides a state here, shows in the sum of `adds`.
  compare: (partition, changes) => ({
    name: 'transaction-search-compare',
    text: `
      select n.position::text, n.id::text as key, d.field, d.expected, d.found
      from unnest($2::uuid[], $3::bigint[], $4::int[], $5::text[], $6::boolean[], $7::uuid[], $8::text[], $9::bigint[],
          $10::text[], $11::uuid[], $12::timestamptz[], $13::timestamptz[])
          as n (id, position, version, state, created, partner_uid, type, amount, order_id, refund_of, registered_at,
            scheduled_for)
      left join transaction_search s on s.partition = $1 and s.id = n.id
      cross join lateral (
        select 'id' as field, n.id::text as expected, s.id::text as found
        union all
        select 'state', n.state, s.state where n.state is not null and n.version = s.version
        union all
        select made.* from (
          values ('partner_uid', n.partner_uid::text, s.partner_uid::text), ('type', n.type, s.type),
            ('amount', n.amount::text, s.amount::text), ('order_id', n.order_id, s.order_id),
            ('refund_of', n.refund_of::text, s.refund_of::text),
            ('registered_at', n.registered_at::text, s.registered_at::text),
            ('scheduled_for', n.scheduled_for::text, s.scheduled_for::text),
            ('position', n.position::text, s.position::text)
        ) as made (field, expected, found)
        where n.created
      ) as d
      where d.expected is distinct from d.found`,
    values: [
      partition,
      changes.map(({ id }) => id),
      changes.map(({ position }) => position),
      changes.map(({ version }) => version),
      changes.map(({ state }) => state ?? null),
      changes.map(({ created }) => created !== undefined),
      changes.map(({ created }) => created?.partnerUid ?? null),
      changes.map(({ created }) => created?.type ?? null),
      changes.map(({ created }) => created?.amount ?? null),
      changes.map(({ created }) => created?.orderId ?? null),
      changes.map(({ created }) => created?.refundOf ?? null),
      changes.map(({ created }) => created?.registeredAt ?? null),
      changes.map(({ created }) => created?.scheduledFor ?? null),
    ],
  }),

  // The count is of changes. A row that has changed since counts once: its earlier number of changes is not stored.
  // Transfers of an older version that still runs are no part of the search.
  count: (partition, afterKey, upTo, limit) => ({
    name: 'transaction-search-count',
    text: `
      with page as (
        select id, position, changes, changed_position from transaction_search
        where partition = $1 and id > coalesce($2, '00000000-0000-0000-0000-000000000000')::uuid and not (${AT_ONCE})
        order by id limit $4)
      select coalesce(sum(case when changed_position <= $3 then changes else 1 end) filter (where position <= $3), 0)::int
          as counted,
        count(*)::int as seen, greatest(max(position), max(changed_position)) as newest,
        (select id::text from page order by id desc limit 1) as last
      from page`,
    values: [partition, afterKey, upTo, limit],
  }),

  async handle(client: PoolClient, partition: number, events: readonly RecordedEvent[]): Promise<void> {
    const changes = events.flatMap(changesOf);
    if (changes.length === 0) return;
    const rows = new Map(changes.flatMap(({ created }) => (created ? [[created.id, created] as const] : [])));
    const older = changes.filter(({ id }) => !rows.has(id)).map(({ id }) => id);
    const known = older.length === 0 ? rows : new Map([...rows, ...(await load(client, partition, older))]);
    const latest = new Map<string, SearchRow>();
    const transitions: Transition[] = [];
    for (const { id, version, position, state, time, created } of changes) {
      const row = latest.get(id) ?? known.get(id);
      if (!row) throw new TypeError(`a change of transaction ${id}, which was never registered`);
      const count = created ? 1 : row.changes + 1;
      latest.set(id, { ...row, version, changes: count, changedPosition: position, state: state ?? row.state });
      if (state === undefined) continue;
      transitions.push({ ...row, state, at: time });
    }
    const all = [...latest.values()].filter((row) => !isAtOnce(row));
    const changed = {
      inserted: all.filter(({ id }) => rows.has(id)),
      updated: all.filter(({ id }) => !rows.has(id)),
    };
    for (const statement of table.save(partition, changed)) await client.query(statement);
    await addSubjects(client, partition, changes);
    if (transitions.length > 0) await client.query(addTotals(partition, transitions));
  },
};

/** Rows of earlier batches that this batch changes. */
async function load(client: PoolClient, partition: number, ids: readonly string[]): Promise<Map<string, SearchRow>> {
  const { rows } = await client.query<QueryResultRow>(stored.load(partition, ids));
  return new Map(rows.map(stored.parse).map((row) => [row.id, row]));
}

async function addSubjects(client: PoolClient, partition: number, changes: readonly Change[]): Promise<void> {
  const named = changes.flatMap(({ id, subjects }) => subjects.map((subject) => ({ id, subject })));
  if (named.length === 0) return;
  await client.query({
    name: 'transaction-subject-add',
    text: `
      insert into transaction_subject (partition, subject, id)
      select $1, n.subject, n.id from unnest($2::uuid[], $3::uuid[]) as n (subject, id)
      on conflict (partition, subject, id) do nothing`,
    values: [partition, named.map(({ subject }) => subject), named.map(({ id }) => id)],
  });
}
