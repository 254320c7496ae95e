import type { QueryResultRow } from 'pg';
import { BY_TIME, dueByOwner, dueByTime, dueInParts, NEXT_ATTEMPT } from './due-statements.js';
import { FREE, LEASED_UNTIL, leaseStatements } from './leased-rows.js';
import { REFUSED_MS_OF_LEASED, refusalsOf } from './refusals.js';
import type { WorkShare } from './shares.js';
import type { Attempt, WorkItem } from './work-item.js';
import type { WorkPlace, WorkSource } from './work-source.js';

/** A longer backlog of a partition is reported as this. */
export const BACKLOG_COUNTED = 10_000;

const place: WorkPlace = {
  waiting: (partition, kinds, by) => ({
    name: 'work-waiting',
    // The limit keeps the kinds from being joined with all that is due.
    text: `
      select k.kind as source from unnest($2::text[]) as k (kind)
      cross join lateral (
        select from work
        where partition = $1 and kind = k.kind and ${BY_TIME} and due_at <= $3 and ${FREE} limit 1) as one`,
    values: [partition, kinds, by],
  }),
};

/** How often work that names no owner is looked for. */
const NOBODYS_EVERY_MS = 30_000;
/** How often owners are looked for whose items others' backlog is before. */
const OWNERS_EVERY_MS = 1_000;

/**
 * How due items are found: the oldest; each owner's oldest, where most that waits is due; or both, where most is due
 * later.
 */
export type DueOrder = 'ByTime' | 'ByOwner' | 'InParts';

/** The rows of one kind, as a source of work. */
export function workSource(kind: string, order: DueOrder): WorkSource<WorkItem> {
  const askedAt = new Map<number, number>();
  const isTimeFor = (partition: number, everyMs: number): boolean => {
    const now = performance.now();
    if (now < (askedAt.get(partition) ?? 0)) return false;
    askedAt.set(partition, now + everyMs);
    return true;
  };
  return {
    name: kind,
    place,
    due: (now, room, partition) => {
      if (order === 'ByTime') return dueByTime(kind, now, room, partition);
      return order === 'ByOwner'
        ? dueByOwner(kind, now, room, partition, isTimeFor(partition, NOBODYS_EVERY_MS))
        : dueInParts(kind, now, room, partition, isTimeFor(partition, OWNERS_EVERY_MS));
    },
    backlog: (now, partition) => ({
      name: 'work-backlog',
      text: `
        select count(due_at)::int as due, min(due_at) as oldest
        from (
          select due_at from work
          where partition = $1 and kind = $2 and ${BY_TIME} and due_at <= $3
          order by due_at limit $4) as d`,
      values: [partition, kind, now, BACKLOG_COUNTED],
    }),
    // It lists its rows, then updates them by key: joined, the backlog could be read once for each row.
    claim: (partition, ids, lease, now) => ({
      name: 'work-claim',
      text: `
        with free as materialized (
          select id from work
          where partition = $1 and id = any($2::uuid[]) and due_at <= $4
            and ${FREE}
          for update skip locked)
        update work set lease = $3, leased_until = ${LEASED_UNTIL}, attempts = ${NEXT_ATTEMPT}
        where partition = $1 and id = any(array(select id from free))
        returning partition, id, kind, subject, payload, due_at, attempts, ${REFUSED_MS_OF_LEASED}`,
      values: [partition, ids, lease, now],
    }),
    ...leaseStatements('work', 'work'),
    parse: (row, lease) => ({
      ...itemOf(row),
      attempts: row.attempts as number,
      lease,
      refusals: refusalsOf(row.refused_ms as number | null),
      ...(order !== 'ByTime' && { share: shareOf(row.payload) }),
    }),
  };
}

/** What a row says of its item, whatever attempt is made. */
export function itemOf(row: QueryResultRow): Omit<WorkItem, keyof Attempt> {
  return {
    partition: row.partition as number,
    id: row.id as string,
    kind: row.kind as string,
    subject: row.subject as string,
    payload: row.payload,
    dueAt: row.due_at as Date,
  };
}

function shareOf(payload: unknown): WorkShare | undefined {
  const owner = (payload as { readonly partnerUid?: string } | null)?.partnerUid;
  return owner === undefined ? undefined : { owner, target: owner };
}
