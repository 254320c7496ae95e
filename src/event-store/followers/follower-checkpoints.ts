import { withTexts } from '../log/carried-texts.js';
import { EVENT_COLUMNS, IN_STREAM_INDEX } from '../log/event-log.js';
import type { Statement } from '../log/statement.js';

/** Creates a follower's checkpoint in a partition, at position 0, where there is none. */
export function makeCheckpoint(partition: number, consumer: string): Statement {
  return {
    name: 'subscription-create',
    text: `
      insert into subscription (partition, consumer, position) values ($1, $2, 0)
      on conflict (partition, consumer) do nothing`,
    values: [partition, consumer],
  };
}

/** Followers that have not reached the log's end, and their positions (`null`: no checkpoint yet). */
export function checkpointsBehind(partition: number, consumers: readonly string[]): Statement {
  return {
    name: 'subscriptions-behind',
    text: `
      select c.consumer, s.position
      from log_head h
      cross join unnest($2::text[]) as c (consumer)
      left join subscription s on s.partition = h.partition and s.consumer = c.consumer
      where h.partition = $1 and h.position > coalesce(s.position, 0)`,
    values: [partition, consumers],
  };
}

/**
 * Locks the checkpoints of followers, skipping those that another process holds. Finds the lowest position, the
 * followers at it, and the end of their next batch.
 * @param end SQL of the highest position of the batch, beside the log's end
 */
const hindmost = (end: string) => `
  with held as materialized (
    select s.consumer, s.position as after, least(${end}, h.position) as last
    from subscription s join log_head h on h.partition = s.partition
    where s.partition = $1 and s.consumer = any($2::text[])
    for update of s skip locked),
  hindmost as materialized (
    select after, last, array_agg(consumer) as consumers from held group by after, last order by after limit 1)`;

/**
 * Locks, and gives the last event of the next batch, up to position `newest`: a process that remembers the same event
 * at that position remembers the log. No row where there is none. A lateral query finds the event: while the log has no
 * statistics, a join would be planned through any index that begins with the partition.
 */
export function lockHindmost(
  partition: number,
  consumers: readonly string[],
  limit: number,
  newest: bigint,
): Statement {
  return {
    name: 'subscription-hindmost',
    text: `${hindmost('s.position + $3, $4::bigint')}
      select r.consumers, r.after, e.event_id from hindmost r
      cross join lateral (select event_id from event where partition = $1 and position = r.last limit 1) e
      where r.after < r.last`,
    values: [partition, consumers, limit, newest],
  };
}

/**
 * Locks, and reads the next `limit` events, filtered by type (`null`: all types), and the last of them whatever its
 * type: one round trip. The last row names the followers, in `consumers`. Events are committed in the order of their
 * positions, so a snapshot has no gaps.
 */
export function lockAndRead(
  partition: number,
  consumers: readonly string[],
  limit: number,
  types: readonly string[] | null,
): Statement {
  return {
    name: 'subscription-next',
    text: `${hindmost('s.position + $3')} ${withTexts(`
      select e.*, r.after, case when e.position = r.last then r.consumers end as consumers from hindmost r
      cross join lateral (
        select ${EVENT_COLUMNS} from event
        where partition = $1 and position > r.after and position <= r.last
          and ($4::text[] is null or type = any($4::text[]) or position = r.last)) e`)}`,
    values: [partition, consumers, limit, types],
  };
}

/**
 * Moves the checkpoints of followers that are at position `after` to an event, if the log has it there. It locks them
 * as the others do, and answers with those that it moved.
 */
export function passCheckpoints(
  partition: number,
  consumers: readonly string[],
  after: bigint,
  event: { readonly position: bigint; readonly id: string },
): Statement {
  return {
    name: 'subscriptions-pass',
    text: `
      with held as materialized (
        select consumer from subscription
        where partition = $1 and consumer = any($2::text[]) and position = $3
          and exists (select from event where partition = $1 and position = $4 and event_id = $5)
        for update skip locked)
      update subscription set position = $4
      where partition = $1 and consumer = any(array(select consumer from held))
      returning consumer`,
    values: [partition, consumers, after, event.position, event.id],
  };
}

/** Moves the checkpoints of followers, which the caller has locked. */
export function moveCheckpoints(partition: number, consumers: readonly string[], position: bigint): Statement {
  return {
    name: 'subscriptions-move',
    text: 'update subscription set position = $3 where partition = $1 and consumer = any($2::text[])',
    values: [partition, consumers, position],
  };
}

/** SQL: up to which position a consumer has followed partition `$1`, for a read of its table in the same snapshot. */
export function checkpointOf(consumer: string): string {
  return `coalesce((select position from subscription where partition = $1 and consumer = '${consumer}'), 0)`;
}

/**
 * SQL: `stream` of the first events of partition `$1` that a consumer has not handled, but for those of transfers made
 * at once. Positions have no gaps: a range needs no sorting, whatever PostgreSQL knows of the log.
 */
export function streamsAhead(consumer: string, most: number): string {
  const reached = checkpointOf(consumer);
  return `
    select stream from event
    where partition = $1 and position > ${reached} and position <= ${reached} + ${most} and ${IN_STREAM_INDEX}`;
}
