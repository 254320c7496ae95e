import type { Statement } from '../../event-store/index.js';
import { idsOf, rowsToExamine, OLDEST, timesOf, type Window } from './window.js';

/** The leading index of a search: the rows of one of its lists, and the lists. */
interface Lead {
  readonly name: string;
  /** SQL of the rows, with the condition that the index serves. */
  readonly rows: string;
  /** `$13`, a row for each list. */
  readonly lists: readonly unknown[];
  /** SQL of the type of `$13`. */
  readonly type: string;
}

const COLUMNS = 's.id, s.position, s.partner_uid, s.type, s.state, s.amount, s.order_id, s.registered_at';
const IN_RANGE = 's.id < $2::uuid and s.id >= $3::uuid';

export function ofAmount(partition: number, window: Window): Statement {
  const { amount, ...others } = window;
  return ofValue('search-amount', 's.amount = h.list', 'bigint', partition, amount, others);
}

export function ofOrder(partition: number, window: Window): Statement {
  const { orderId, ...others } = window;
  return ofValue('search-order', 's.order_id = h.list', 'text', partition, orderId, others);
}

function ofValue(
  name: string,
  condition: string,
  type: string,
  partition: number,
  value: unknown,
  others: Window,
): Statement {
  return filtered(
    {
      name,
      rows: `
        select ${COLUMNS} from transaction_search s
        where s.partition = $1 and ${condition} and ${IN_RANGE}`,
      lists: [value],
      type,
    },
    partition,
    others,
  );
}

/** @param subjects of that partition */
export function ofSubjects(partition: number, subjects: readonly string[], window: Window): Statement {
  return filtered(
    {
      name: 'search-subjects',
      rows: `
        select ${COLUMNS} from transaction_subject t
        join transaction_search s on s.partition = t.partition and s.id = t.id
        where t.partition = $1 and t.subject = h.list and t.id < $2::uuid and t.id >= $3::uuid`,
      lists: subjects,
      type: 'uuid',
    },
    partition,
    window,
  );
}

/** The newest rows of the leading index, filtered by the other conditions. */
function filtered({ name, rows, lists, type: listType }: Lead, partition: number, others: Window): Statement {
  const { partnerUid, type, state, amount, orderId, limit, from, to } = others;
  const { low, high } = idsOf(others);
  return {
    name,
    text: `
      with looked as materialized (
        select h.list, s.*
        from unnest($13::${listType}[]) as h (list)
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
      partition,
      high,
      low,
      rowsToExamine(others.lists, limit, [partnerUid, type, state, amount, orderId, from, to]),
      partnerUid,
      type,
      state,
      amount,
      orderId,
      ...timesOf(others),
      limit,
      lists,
    ],
  };
}
