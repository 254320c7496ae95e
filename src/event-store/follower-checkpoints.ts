import { EVENT_COLUMNS } from './event-log.js';
import type { Statement } from './inline-projection.js';

/** Makes a follower's checkpoint in a partition, unless it is there: nothing was seen yet. */
export function makeCheckpoint(partition: number, consumer: string): Statement {
  return {
    name: 'subscription-create',
    text: `
      insert into subscription (partition, consumer, position) values ($1, $2, 0)
      on conflict (partition, consumer) do nothing`,
    values: [partition, consumer],
  };
}

/** Locks the checkpoints of followers, those excepted that another process holds, and finds the hindmost of them. */
const HINDMOST = `
  with held as materialized (
    select s.consumer, s.position as after, least(s.position + $3, h.position) as last
    from subscription s join log_head h on h.partition = s.partition
    where s.partition = $1 and s.consumer = any($2::text[])
    for update of s skip locked),
  hindmost as materialized (
    select after, last, array_agg(consumer) as consumers from held group by after, last order by after limit 1)`;

/** The hindmost of followers and those that stand at the same place, which one, and where its next `limit` events end. */
export function lockHindmost(partition: number, consumers: readonly string[], limit: number): Statement {
  return {
    name: 'subscription-hindmost',
    text: `${HINDMOST} select consumers, after, last from hindmost where after < last`,
    values: [partition, consumers, limit],
  };
}

/**
 * As `lockHindmost`, and reads from those events the ones of the given types (`null`: of all) and the last one: one
 * journey to the server. The last row names the followers, in `consumers`. The log is committed in the order of its
 * positions, so what this snapshot shows has no gap.
 */
export function lockAndRead(
  partition: number,
  consumers: readonly string[],
  limit: number,
  types: readonly string[] | null,
): Statement {
  return {
    name: 'subscription-next',
    text: `${HINDMOST}
      select e.*, r.after, case when e.position = r.last then r.consumers end as consumers from hindmost r
      cross join lateral (
        select ${EVENT_COLUMNS} from event
        where partition = $1 and position > r.after and position <= r.last
          and ($4::text[] is null or type = any($4::text[]) or position = r.last)
        order by position) e`,
    values: [partition, consumers, limit, types],
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
