import { TRANSACTION_STATES, TRANSACTION_TYPES } from '../../accounts/index.js';
import type { Statement } from '../../event-store/index.js';
import { idsOf, OLDEST, rowsToExamine, timesOf, type Window } from './window.js';

/**
 * A partition's transactions, all or a partner's, newest first. Payments: the newest of each kind and state, each from
 * its index, merged. Transfers have one state, and are most of all rows: they are found by the partner's index, or in the
 * order of all identifiers (docs/adr/0032).
 */
export function newestOfKinds(partition: number, window: Window): Statement {
  const { partnerUid, type, state } = window;
  if (partnerUid === undefined && type === undefined && state === undefined) return newestOfAll(partition, window);
  const kinds = kindsOf(window);
  const payments = kinds.filter(([kind]) => kind !== 'Transfer');
  const { lists, limit } = window;
  // By the partner's index every examined row is one of its transfers.
  const others = partnerUid === undefined ? ['type'] : [];
  const examined = payments.length === kinds.length ? 0 : rowsToExamine(lists, limit, others);
  const { low, high } = idsOf(window);
  return {
    name: partnerUid === undefined ? 'search-kinds' : 'search-partner-kinds',
    text: `
      with looked as materialized (
        select id, position, type, registered_at from transaction_search
        where partition = $1 and id < $4::uuid and id >= $5::uuid
          ${partnerUid === undefined ? '' : `and type = 'Transfer' and partner_uid = $10`}
        order by id desc limit $9
      ), edge as (
        select min(id::text collate "C") as id from looked having count(*) = $9
      ), payment as (
        select s.id, s.position
        from unnest($2::text[], $3::text[]) as k (type, state)
        cross join lateral (
          select id, position from transaction_search
          where partition = $1 and type = k.type and state = k.state and type <> 'Transfer'
            ${partnerUid === undefined ? '' : 'and partner_uid = $10'}
            and id < $4::uuid and id >= $5::uuid and registered_at >= $6 and registered_at < $7
          order by id desc limit $8) s
      )
      (select id, position, false as edge
       from (
         select id, position from payment
         union all
         select id, position from looked
         where type = 'Transfer' and registered_at >= $6 and registered_at < $7) as found
       where id >= coalesce((select id from edge), '${OLDEST}')::uuid
       order by id desc limit $8)
      union all
      select id::uuid, 0, true from edge where id is not null`,
    values: [
      partition,
      payments.map(([kind]) => kind),
      payments.map(([, reached]) => reached),
      high,
      low,
      ...timesOf(window),
      limit,
      examined,
      ...(partnerUid === undefined ? [] : [partnerUid]),
    ],
  };
}

/** Every row matches. */
function newestOfAll(partition: number, window: Window): Statement {
  const { low, high } = idsOf(window);
  return {
    name: 'search-newest',
    text: `
      select id, position, false as edge from transaction_search
      where partition = $1 and id < $2::uuid and id >= $3::uuid and registered_at >= $4 and registered_at < $5
      order by id desc limit $6`,
    values: [partition, high, low, ...timesOf(window), window.limit],
  };
}

function kindsOf({ type, state }: Window): [string, string][] {
  const types = TRANSACTION_TYPES.filter((one) => type === undefined || one === type);
  const states = TRANSACTION_STATES.filter((one) => state === undefined || one === state);
  const all = types.flatMap((one) => states.map((other): [string, string] => [one, other]));
  // A transfer is completed from the start.
  return all.filter(([one, other]) => one !== 'Transfer' || other === 'Completed');
}
