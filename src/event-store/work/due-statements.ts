import type { Statement } from '../log/statement.js';
import { FREE } from './leased-rows.js';
import { type Room, roomWithoutOwners } from './shares.js';

/** The statements that find work that is due. */

/**
 * What a statement says that reads a kind by time, through all owners: no other may use the index `work_due`. Before
 * PostgreSQL has statistics all indexes look alike to it, and it would read one owner's items through all of them.
 */
export const BY_TIME = `kind <> ''`;

/** Of a row that is claimed. One row with the largest number must not fail the claim of all others. */
export const NEXT_ATTEMPT = 'least(attempts, 2147483646) + 1';

/** The owner that the payload of an item names, as the index `work_line` has it. */
export const OWNER = `payload ->> 'partnerUid'`;

/**
 * The owners that payloads name, of a partition's work (`$1`) of one kind (`$2`): a look-up in an index for each,
 * however much work there is. An owner without uid ends it.
 */
const queuedOwners = (condition: string) => `
  queued (uid) as (
    (select ${OWNER} from work
     where ${condition} and partition = $1 and kind = $2 and ${OWNER} is not null
     order by ${OWNER} limit 1)
    union all
    select (
      select ${OWNER} from work
      where partition = $1 and kind = $2 and ${OWNER} > queued.uid
      order by ${OWNER} limit 1)
    from queued where queued.uid is not null)`;
export const OWNERS_WITH_WORK = `with recursive ${queuedOwners('true')}`;

/** SQL: the oldest of each owner's items (`w`) that are due by `$3`: as many as are known to be free, or `$6`. */
const OLDEST_OF_QUEUED = `
    cross join lateral (
      select id, due_at from work
      where partition = $1 and kind = $2 and ${OWNER} = queued.uid and due_at <= $3 and ${FREE}
      order by due_at limit coalesce(known.free, $6)) as w`;

/**
 * Of work that is asked by time first: more than there are slots, so that a backlog is one of few owners, or of all.
 */
const OLDEST_READ = 500;

/**
 * Work whose payload names an owner, by owner: each one's oldest are found however many the others have. Items that
 * name none, of versions that wrote none, count as one owner's.
 * @param withNobodys to find that there are none, all that is due is read
 */
export const dueByOwner = (
  kind: string,
  now: Date,
  room: Room,
  partition: number,
  withNobodys: boolean,
): Statement => ({
  name: 'work-due-by-owner',
  text: `${OWNERS_WITH_WORK}
    select $1::int as partition, w.id, w.due_at, queued.uid as owner, queued.uid as target
    from queued
    left join unnest($4::text[], $5::int[]) as known (uid, free) on known.uid = queued.uid
    ${OLDEST_OF_QUEUED}
    union all
    (select $1::int, id, due_at, '', '' from work
     where $8 and partition = $1 and kind = $2 and ${BY_TIME} and ${OWNER} is null and due_at <= $3
       and ${FREE}
     order by due_at limit $7)`,
  values: [
    partition,
    kind,
    now,
    [...room.owners.keys()],
    [...room.owners.values()],
    room.others,
    roomWithoutOwners(room),
    withNobodys,
  ],
});

/**
 * Work of a kind that is asked by time first: what is not due costs nothing then, however many owners have some. Where
 * more is due than is read, the oldest of each owner that the room names are looked for too.
 * @param withOwners those of every owner then: a look-up for each that has any work of the kind, due or not
 */
export const dueInParts = (kind: string, now: Date, room: Room, partition: number, withOwners: boolean): Statement => ({
  name: 'work-due-in-parts',
  text: `
    with recursive oldest as materialized (
      select id, due_at, coalesce(${OWNER}, '') as owner from work
      where partition = $1 and kind = $2 and ${BY_TIME} and due_at <= $3 and ${FREE}
      order by due_at limit $7),
    ${queuedOwners('$8 and (select count(*) from oldest) = $7')},
    known as (select uid, free from unnest($4::text[], $5::int[]) as k (uid, free))
    select $1::int as partition, ranked.id, ranked.due_at, ranked.owner, ranked.owner as target
    from (select *, row_number() over (partition by owner order by due_at) as place from oldest) as ranked
    left join known on known.uid = ranked.owner
    where ranked.place <= coalesce(known.free, $6)
    union
    select $1::int, w.id, w.due_at, queued.uid, queued.uid
    from (select uid from queued union select uid from known where (select count(*) from oldest) = $7) as queued
    left join known on known.uid = queued.uid
    ${OLDEST_OF_QUEUED}`,
  values: [
    partition,
    kind,
    now,
    [...room.owners.keys()],
    [...room.owners.values()],
    room.others,
    OLDEST_READ,
    withOwners,
  ],
});

/** Work of a kind, the oldest first. */
export const dueByTime = (kind: string, now: Date, room: Room, partition: number): Statement => ({
  name: 'work-due',
  text: `
    select partition, id, due_at from work
    where partition = $1 and kind = $2 and ${BY_TIME} and due_at <= $3 and ${FREE}
    order by due_at limit $4`,
  values: [partition, kind, now, roomWithoutOwners(room)],
});
