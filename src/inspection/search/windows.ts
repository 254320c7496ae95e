import { newId, partitionOf, type Statement } from '../../event-store/index.js';
import { STATES, TYPES } from './search-filters.js';

/** What is left to be looked at in a search, newest first. Identifiers are in order of time. */
export interface Window {
  readonly partitions: readonly number[];
  readonly partnerUid: string | null;
  readonly type: string | null;
  readonly state: string | null;
  /** Centavos. */
  readonly amount: bigint | null;
  readonly orderId: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
  /** Where the page before ended, exclusive: an identifier; of an account's own list, a position. */
  readonly before: string | null;
  readonly limit: number;
}

/** A row of the answer: a transaction that was found, or (`edge`) how far was looked. */
export interface Found {
  readonly id: string;
  readonly position: string;
  readonly edge: boolean;
}

/**
 * Rows looked at for one page where an index gives the order but not every filter: more are left to the next page, so
 * that no search, whatever it asks for, reads much more than this.
 */
const LOOK = 4_000;

/** How many of them in each of the lists that a search begins with. */
function share(lists: number, limit: number): number {
  return Math.max(Math.ceil(LOOK / lists), limit);
}

/** An identifier is minted a moment before its event has its time: never as much as this. */
const MARGIN_MS = 15_000;

const NEWEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const OLDEST = '00000000-0000-0000-0000-000000000000';

/** Times as bounds of identifiers, wide enough; rows are then held to the exact times. */
function bounds({ from, to, before }: Window): { low: string; high: string } {
  const idAt = (time: number) => `${newId(0, Math.max(0, time)).slice(0, 13)}-0000-0000-000000000000`;
  const high = to && idAt(to.getTime() + MARGIN_MS);
  return {
    low: from ? idAt(from.getTime() - MARGIN_MS) : OLDEST,
    high: [before ?? NEWEST, high ?? NEWEST].sort()[0]!,
  };
}

/** As dates, which the driver writes for PostgreSQL: an ISO text of a year before 1 or after 9999 is not one of its. */
function timesOf({ from, to }: Window): [Date | string, Date | string] {
  return [from ?? '-infinity', to ?? 'infinity'];
}

/** Every transaction, or a partner's: the newest of each kind and state, each from its index, merged. */
export function newestOfKinds(window: Window): Statement {
  const { partitions, partnerUid, limit } = window;
  const kinds = kindsOf(window);
  const { low, high } = bounds(window);
  return {
    name: partnerUid === null ? 'search-kinds' : 'search-partner-kinds',
    text: `
      select s.id, s.position, false as edge
      from unnest($1::int[]) as h (partition)
      cross join unnest($2::text[], $3::text[]) as k (type, state)
      cross join lateral (
        select id, position from transaction_search
        where partition = h.partition and type = k.type and state = k.state
          ${partnerUid === null ? '' : 'and partner_uid = $9'}
          and id < $4::uuid and id >= $5::uuid and registered_at >= $6 and registered_at < $7
        order by id desc limit $8) s
      order by s.id desc limit $8`,
    values: [
      partitions,
      kinds.map(([type]) => type),
      kinds.map(([, state]) => state),
      high,
      low,
      ...timesOf(window),
      limit,
      ...(partnerUid === null ? [] : [partnerUid]),
    ],
  };
}

function kindsOf({ type, state }: Window): [string, string][] {
  const types = TYPES.filter((one) => type === null || one === type);
  const states = STATES.filter((one) => state === null || one === state);
  const all = types.flatMap((one) => states.map((other): [string, string] => [one, other]));
  // A transfer is completed from the start.
  return all.filter(([one, other]) => one !== 'Transfer' || other === 'Completed');
}

/** The index that leads: what it is called, the rows of one of its lists, and the lists. */
interface Lead {
  readonly name: string;
  /** Lists to begin with: a relation `h`. */
  readonly lists: string;
  /** Where the rows are, with the condition that the index answers. */
  readonly rows: string;
  readonly values: readonly [readonly unknown[], ...unknown[]];
}

/** Transactions of an amount, of an order, or about a person: the index's newest, held against the other filters. */
function looked({ name, lists, rows, values }: Lead, window: Window): Statement {
  const { partnerUid, type, state, amount, orderId, limit, from, to } = window;
  const residual = [partnerUid, type, state, from, to].some((one) => one !== null) || name !== 'search-amount';
  const { low, high } = bounds(window);
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
      values[0],
      high,
      low,
      residual ? share(values[0].length, limit) : limit,
      partnerUid,
      type,
      state,
      amount,
      orderId,
      ...timesOf(window),
      limit,
      ...values.slice(1),
    ],
  };
}

const COLUMNS = 's.id, s.position, s.partner_uid, s.type, s.state, s.amount, s.order_id, s.registered_at';
const IN_RANGE = 's.id < $2::uuid and s.id >= $3::uuid';

export function ofAmount(window: Window): Statement {
  return looked(
    {
      name: 'search-amount',
      lists: 'unnest($1::int[]) as h (list)',
      rows: `
        select ${COLUMNS} from transaction_search s
        where s.partition = h.list and s.amount = $8 and ${IN_RANGE}`,
      values: [window.partitions],
    },
    window,
  );
}

export function ofOrder(window: Window): Statement {
  return looked(
    {
      name: 'search-order',
      lists: 'unnest($1::int[]) as h (list)',
      rows: `
        select ${COLUMNS} from transaction_search s
        where s.partition = h.list and s.order_id = $9 and ${IN_RANGE}`,
      values: [window.partitions],
    },
    window,
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

/**
 * An account's own list, either side, from the indexes that its partner's lists are read by: by position, since that
 * is their order.
 * @param positions the first one, and the one after the last
 */
export function ofAccount(accountUid: string, window: Window, positions: readonly [string, string]): Statement {
  const { type, state, amount, orderId, before, limit } = window;
  const residual = [type, state, amount, orderId].some((one) => one !== null);
  const side = (column: string, list: number) => `
    (select ${list} as list, id, position, type, state, amount, order_id from transaction
     where partition = $1 and ${column} = $2 and position < $3 and position >= $4
     order by position desc limit $5)`;
  const high = [before, positions[1]].filter((one) => one !== null).sort(byNumber)[0]!;
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
      high,
      positions[0],
      residual ? share(2, limit) : limit,
      type,
      state,
      amount,
      orderId,
      limit,
    ],
  };
}

function byNumber(a: string, b: string): number {
  return BigInt(a) < BigInt(b) ? -1 : 1;
}
