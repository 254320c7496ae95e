import { TRANSACTION_STATES, TRANSACTION_TYPES } from '../../accounts/index.js';
import type { Statement } from '../../event-store/index.js';
import { AT_ONCE } from '../projection/changes.js';
import { hasTransfersAtOnce, idsOf, rowsToExamine, timesOf, type Window } from './window.js';

/** SQL, as `registeredAt`. */
const REGISTERED_AT = `
  coalesce(state_dates ->> 'Scheduled', state_dates ->> 'Registered', state_dates ->> 'Completed')::timestamptz`;

/** Whether a search by kinds is one of the index: then transfers made at once cannot match. */
export function isOfIndex(filters: Pick<Window, 'partnerUid' | 'type' | 'state'>): boolean {
  return filters.partnerUid !== undefined || !hasTransfersAtOnce(filters);
}

/**
 * A partition's transactions, newest first, in the order of identifiers. Payments, and transfers that were scheduled:
 * the newest of each kind and state, each from its index of the search, merged. Transfers made at once have one state,
 * and are most of all rows: where they may match, all kinds are found among the newest transactions (docs/adr/0030). A
 * partner's list has them from the partner's accounts (`ofPartner`).
 */
export function newestOfKinds(partition: number, window: Window): Statement {
  const { partnerUid, type, state, limit } = window;
  if (partnerUid === undefined && type === undefined && state === undefined) return newestOfAll(partition, window);
  if (!isOfIndex(window)) return newestLookedAt(partition, window);
  const kinds = kindsOf(window);
  const { low, high } = idsOf(window);
  return {
    name: partnerUid === undefined ? 'search-kinds' : 'search-partner-kinds',
    text: `
      select s.id, s.position, false as edge
      from unnest($2::text[], $3::text[]) as k (type, state)
      cross join lateral (
        select id, position from transaction_search
        where partition = $1 and type = k.type and state = k.state and not (${AT_ONCE})
          ${partnerUid === undefined ? '' : 'and partner_uid = $9'}
          and id < $4::uuid and id >= $5::uuid and registered_at >= $6 and registered_at < $7
        order by id desc limit $8) s
      order by s.id desc limit $8`,
    values: [
      partition,
      kinds.map(([kind]) => kind),
      kinds.map(([, reached]) => reached),
      high,
      low,
      ...timesOf(window),
      limit,
      ...(partnerUid === undefined ? [] : [partnerUid]),
    ],
  };
}

/** Of the newest transactions themselves: a page has none older than what the index lacks. */
function newestLookedAt(partition: number, window: Window): Statement {
  const { type, state, lists, limit } = window;
  const { low, high } = idsOf(window);
  return {
    name: 'search-newest-of-kind',
    text: `
      with looked as materialized (
        select id, position, type, state, state_dates from transaction
        where partition = $1 and id < $2::uuid and id >= $3::uuid
        order by id desc limit $4
      ), edge as (
        select min(id::text collate "C") as id from looked having count(*) = $4
      )
      (select id, position, false as edge from looked
       where ($5::text is null or type = $5) and ($6::text is null or state = $6)
         and ${REGISTERED_AT} >= $7 and ${REGISTERED_AT} < $8
       order by id desc limit $9)
      union all
      select id::uuid, 0, true from edge where id is not null`,
    values: [partition, high, low, rowsToExamine(lists, limit, [type, state]), type, state, ...timesOf(window), limit],
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
