import { accountsOfPartner } from '../../accounts/index.js';
import { partitionOf, type Statement } from '../../event-store/index.js';
import { rowsToExamine, OLDEST, type Window } from './window.js';

/**
 * The transactions of an account, as payer or payee, from the indexes of the partner's lists: in order of position.
 * @param positions the first one, and the one after the last
 */
export function ofAccount(accountUid: string, window: Window, positions: readonly [string, string]): Statement {
  const { type, state, amount, orderId, before, limit } = window;
  const [first, end] = positions;
  const side = (column: string, list: number) => `
    (select ${list} as list, id, position, type, state, amount, order_id from transaction
     where partition = $1 and ${column} = $2 and position < $3 and position >= $4
     order by position desc limit $5)`;
  return {
    name: 'search-account',
    text: `
      with looked as materialized (${side('account_uid', 1)} union all ${side('counterparty_uid', 2)}),
      edge as (
        select max(last) as position from (
          select min(position) as last from looked group by list having count(*) = $5) as full_lists
      )
      (select id, position, false as edge from looked
       where ($6::text is null or type = $6) and ($7::text is null or state = $7)
         and ($8::bigint is null or amount = $8) and ($9::text is null or order_id = $9)
         and position >= coalesce((select position from edge), 0)
       order by position desc limit $10)
      union all
      select '${OLDEST}'::uuid, position, true from edge where position is not null`,
    values: [
      partitionOf(accountUid),
      accountUid,
      endOf(before, end),
      first,
      rowsToExamine(2, limit, [type, state, amount, orderId]),
      type,
      state,
      amount,
      orderId,
      limit,
    ],
  };
}

/**
 * The transactions of a partner, transfers made at once among them: of the accounts with the newest ones, each
 * account's newest, in order of position.
 * @param positions the first one, and the one after the last
 */
export function ofPartner(
  partition: number,
  partnerUid: string,
  window: Window,
  positions: readonly [string, string],
): Statement {
  const { type, state, before, limit } = window;
  const [first, end] = positions;
  const newest = (columns: string, account: string, most: string) => `
    select ${columns} from transaction
    where partition = $1 and account_uid = ${account} and position < $3 and position >= $4
    order by position desc limit ${most}`;
  return {
    name: 'search-partner',
    text: `
      with head as materialized (
        select a.uid, h.position
        from (${accountsOfPartner('$2')}) a cross join lateral (${newest('position', 'a.uid', '1')}) h
        order by h.position desc limit $8 + 1
      ), looked as materialized (
        select l.uid as list, t.id, t.position, t.type, t.state
        from (select uid from head order by position desc limit $8) l
        cross join lateral (${newest('id, position, type, state', 'l.uid', '$5')}) t
      ), edge as (
        select max(last) as position from (
          select min(position) as last from looked group by list having count(*) = $5
          union all
          (select position + 1 from head order by position desc offset $8)) as ends
      )
      (select id, position, false as edge from looked
       where ($6::text is null or type = $6) and ($7::text is null or state = $7)
         and position >= coalesce((select position from edge), 0)
       order by position desc limit $8)
      union all
      select '${OLDEST}'::uuid, position, true from edge where position is not null`,
    values: [
      partition,
      partnerUid,
      endOf(before, end),
      first,
      rowsToExamine(limit, limit, [type, state]),
      type,
      state,
      limit,
    ],
  };
}

/** Of the page's positions, exclusive. */
function endOf(before: string | undefined, end: string): string {
  return before !== undefined && BigInt(before) < BigInt(end) ? before : end;
}
