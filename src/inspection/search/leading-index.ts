import { accountsOfPartner } from '../../accounts/index.js';
import type { Statement } from '../../event-store/index.js';
import { AT_ONCE } from '../projection/changes.js';
import { FOLLOWED } from './unfollowed.js';
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

/**
 * The newest identifiers in which a frequent amount is looked for; one with fewer than a page is found by the summary.
 */
const NEWEST_LOOKED_THROUGH = 200_000;

/**
 * Transfers of an amount that were made at once, and what the search does not have yet: the newest among the newest
 * transactions, which is enough for an amount that is frequent.
 */
export function frequentTransfers(partition: number, window: Window): Statement {
  const { low, high } = idsOf(window);
  return {
    name: 'search-transfers-frequent',
    text: `
      select t.id, t.position, false as edge
      from transaction t
      where t.partition = $1 and t.id < $2::uuid and t.amount = $4 and ${NOT_INDEXED}
        and t.id >= coalesce(
          (select id from transaction where partition = $1 and id < $2::uuid and id >= $3::uuid
           order by id desc offset ${NEWEST_LOOKED_THROUGH} limit 1), $3::uuid)
      order by t.id desc limit $5`,
    values: [partition, high, low, window.amount, window.limit, window.partnerUid, window.type, window.state],
  };
}

/**
 * SQL of the partition `$1`, where the summaries of the table's pages are to be read. The planner takes them for
 * useless wherever values lie in no order, and would rather read a whole partition by the primary key. A cluster needs
 * the plain comparison, to ask one node only.
 */
export function ofSummaries(isSpread: boolean): string {
  return isSpread ? 'partition = $1' : 'partition::bigint = $1';
}

/** All of them, by the summaries of the table's pages. */
export function rareTransfers(partition: number, window: Window, isSpread: boolean): Statement {
  const { low, high } = idsOf(window);
  return {
    name: 'search-transfers-rare',
    text: `
      with found as materialized (
        select t.id, t.position from transaction t
        where t.${ofSummaries(isSpread)} and t.amount = $4 and ${NOT_INDEXED})
      select id, position, false as edge from found
      where id < $2::uuid and id >= $3::uuid
      order by id desc limit $5`,
    values: [partition, high, low, window.amount, window.limit, window.partnerUid, window.type, window.state],
  };
}

const NOT_INDEXED = `
  (${AT_ONCE} or t.position > ${FOLLOWED}) and ($6::uuid is null or t.account_uid in (${accountsOfPartner('$6')}))
  and ($7::text is null or t.type = $7) and ($8::text is null or t.state = $8)`;

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
        where s.partition = $1 and ${condition} and ${IN_RANGE} and not (${AT_ONCE})`,
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
