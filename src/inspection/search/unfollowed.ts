import { accountsOfPartner } from '../../accounts/index.js';
import { checkpointOf, type Statement, streamsAhead } from '../../event-store/index.js';
import { AT_ONCE, PARTIES } from '../projection/changes.js';
import { searchProjection } from '../projection/search.projection.js';
import { idsOf, type Window } from './window.js';

/** SQL: up to which position the index has the transactions of partition `$1`. */
export const FOLLOWED = checkpointOf(searchProjection.name);

/** The most events read: an index that lags further behind has the rest of them left out until it follows. */
const MAX_READ = 10_000;

/**
 * The payments of a search that were made or changed after what the index has, as they are. Read before the index: what
 * one does not have, the other has. Else a page would pass over them, and show what is older.
 * @param subjects of that partition, where persons are searched for
 */
export function unfollowed(partition: number, window: Window, subjects?: readonly string[]): Statement {
  const { type, state, amount, orderId, partnerUid, limit } = window;
  const { low, high } = idsOf(window);
  return {
    name: 'search-unfollowed',
    text: `
      with changed as materialized (
        select distinct case when right(stream, 36) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
          then right(stream, 36)::uuid end as id
        from (${streamsAhead(searchProjection.name, MAX_READ)}) as s)
      select t.id, t.position, false as edge
      from changed c
      cross join lateral (select * from transaction where partition = $1 and id = c.id offset 0) t
      where c.id < $2::uuid and c.id >= $3::uuid and not (${AT_ONCE})
        and ($4::text is null or type = $4) and ($5::text is null or state = $5)
        and ($6::bigint is null or amount = $6) and ($7::text is null or order_id = $7)
        and ($8::uuid is null or account_uid in (${accountsOfPartner('$8')}))
        and ($9::text[] is null or exists (
          select from unnest($10::text[]) as p (party) where details -> p.party ->> 'subject' = any($9)))
      order by t.id desc limit $11`,
    values: [partition, high, low, type, state, amount, orderId, partnerUid, subjects, PARTIES, limit],
  };
}
