import { TRANSACTION_STATES, TRANSACTION_TYPES } from '../../accounts/index.js';
import type { Statement } from '../../event-store/index.js';
import { AT_ONCE } from '../projection/changes.js';
import { hasTransfersAtOnce, idsOf, OLDEST, rowsToExamine, timesOf, type Window } from './window.js';

/**
 * A partition's transactions, newest first, in the order of identifiers. Payments, and transfers that were scheduled: the
 * newest of each kind and state, each from its index of the search, merged. Transfers made at once have one state, and
 * are most of all rows: they are found among the newest transactions (docs/adr/0030). A partner's list has them from the
 * partner's accounts (`ofPartner`).
 */
export function newestOfKinds(partition: number, window: Window): Statement {
  const { partnerUid, type, state } = window;
  if (partnerUid === undefined && type === undefined && state === undefined) return newestOfAll(partition, window);
  const kinds = kindsOf(window);
  const { lists, limit } = window;
  const examined = partnerUid === undefined && hasTransfersAtOnce(window) ? rowsToExamine(lists, limit, ['type']) : 0;
  const { low, high } = idsOf(window);
  return {
    name: partnerUid === undefined ? 'search-kinds' : 'search-partner-kinds',
    text: `
      with looked as materialized (
        select id, position, type, state, version from transaction
        where partition = $1 and id < $4::uuid and id >= $5::uuid
        order by id desc limit $9
      ), edge as (
        select min(id::text collate "C") as id from looked having count(*) = $9 and $9 > 0
      ), payment as (
        select s.id, s.position
        from unnest($2::text[], $3::text[]) as k (type, state)
        cross join lateral (
          select id, position from transaction_search
          where partition = $1 and type = k.type and state = k.state and not (${AT_ONCE})
            ${partnerUid === undefined ? '' : 'and partner_uid = $10'}
            and id < $4::uuid and id >= $5::uuid and registered_at >= $6 and registered_at < $7
          order by id desc limit $8) s
      )
      (select id, position, false as edge
       from (
         select id, position from payment
         union all
         select id, position from looked where ${AT_ONCE}) as found
       where id >= coalesce((select id from edge), '${OLDEST}')::uuid
       order by id desc limit $8)
      union all
      select id::uuid, 0, true from edge where id is not null`,
    values: [
      partition,
      kinds.map(([kind]) => kind),
      kinds.map(([, reached]) => reached),
      high,
      low,
      ...timesOf(window),
      limit,
      examined,
      ...(partnerUid === undefined ? [] : [partnerUid]),
    ],
  };
}

/** Every row matches, but for those in the margin of a time. */
function newestOfAll(partition: number, window: Window): Statement {
  const { low, high } = idsOf(window);
  return {
    name: 'search-newest',
    text: `
      select id, position, false as edge from transaction
      where partition = $1 and id < $2::uuid and id >= $3::uuid
      order by id desc limit $4`,
    values: [partition, high, low, window.limit],
  };
}

function kindsOf({ type, state }: Window): [string, string][] {
  const types = TRANSACTION_TYPES.filter((one) => type === undefined || one === type);
  const states = TRANSACTION_STATES.filter((one) => state === undefined || one === state);
  return types.flatMap((one) => states.map((other): [string, string] => [one, other]));
}
