import type { Statement } from '../../event-store/index.js';
import { idsOf, lookOf, OLDEST, timesOf, type Window } from './window.js';

/** The index that leads: what it is called, the rows of one of its lists, and the lists. */
interface Lead {
  readonly name: string;
  /** Lists to begin with: a relation `h`. */
  readonly lists: string;
  /** Where the rows are, with the condition that the index answers. */
  readonly rows: string;
  /** `$1`, a row for each list, and from `$13` on. */
  readonly values: readonly [readonly unknown[], ...unknown[]];
}

const COLUMNS = 's.id, s.position, s.partner_uid, s.type, s.state, s.amount, s.order_id, s.registered_at';
const IN_RANGE = 's.id < $2::uuid and s.id >= $3::uuid';

export function ofAmount(window: Window): Statement {
  return ofValue('search-amount', 's.amount = $13', window.amount, { ...window, amount: undefined });
}

export function ofOrder(window: Window): Statement {
  return ofValue('search-order', 's.order_id = $13', window.orderId, { ...window, orderId: undefined });
}

function ofValue(name: string, condition: string, value: unknown, others: Window): Statement {
  return looked(
    {
      name,
      lists: 'unnest($1::int[]) as h (list)',
      rows: `
        select ${COLUMNS} from transaction_search s
        where s.partition = h.list and ${condition} and ${IN_RANGE}`,
      values: [others.partitions, value],
    },
    others,
  );
}

/** @param subjects each with the partition that it is in */
export function ofSubjects(
  subjects: readonly { readonly partition: number; readonly subject: string }[],
  window: Window,
): Statement {
  return looked(
    {
      name: 'search-subjects',
      lists: 'unnest($1::int[], $13::uuid[]) as h (partition, list)',
      rows: `
        select ${COLUMNS} from transaction_subject t
        join transaction_search s on s.partition = t.partition and s.id = t.id
        where t.partition = h.partition and t.subject = h.list and t.id < $2::uuid and t.id >= $3::uuid`,
      values: [subjects.map(({ partition }) => partition), subjects.map(({ subject }) => subject)],
    },
    window,
  );
}

/** The leading index's newest, held against the other filters. */
function looked({ name, lists, rows, values: [list, ...more] }: Lead, others: Window): Statement {
  const { partnerUid, type, state, amount, orderId, limit, from, to } = others;
  const { low, high } = idsOf(others);
  return {
    name,
    text: `
      with looked as materialized (
        select h.list, s.*
        from ${lists}
        cross join lateral (${rows} order by s.id desc limit $4) s
      ), edge as (
        select max(last) as id from (
          select min(id::text collate "C") as last from looked group by list having count(*) = $4) as full_lists
      )
      (select id, position, false as edge from looked
       where ($5::uuid is null or partner_uid = $5) and ($6::text is null or type = $6)
         and ($7::text is null or state = $7) and ($8::bigint is null or amount = $8)
         and ($9::text is null or order_id = $9) and registered_at >= $10 and registered_at < $11
         and id >= coalesce((select id from edge), '${OLDEST}')::uuid
       order by id desc limit $12)
      union all
      select id::uuid, 0, true from edge where id is not null`,
    values: [
      list,
      high,
      low,
      lookOf(list.length, limit, [partnerUid, type, state, amount, orderId, from, to]),
      partnerUid,
      type,
      state,
      amount,
      orderId,
      ...timesOf(others),
      limit,
      ...more,
    ],
  };
}
