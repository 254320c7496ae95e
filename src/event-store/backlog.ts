import { Injectable } from '@nestjs/common';
import { Database } from '../platform/database/index.js';
import { Subscriptions } from './followers/subscriptions.js';
import { BY_TIME } from './work/due-statements.js';
import { BACKLOG_COUNTED } from './work/work-rows.js';

/** What waits in a partition: due work by kind, and the lag of each consumer. */
@Injectable()
export class Backlog {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: Subscriptions,
  ) {}

  /** Every kind of work that there is any of; timers that are not due yet do not count. */
  queues(partition: number, now: Date) {
    return this.database.query<{ kind: string; waiting: number; oldest: Date | null }>({
      name: 'overview-queues',
      text: `
        with recursive kinds (kind) as (
          select (select min(kind) from work where partition = $1 and ${BY_TIME} and due_at is not null)
          union all
          select (select min(w.kind) from work w where w.partition = $1 and w.${BY_TIME} and w.due_at is not null and w.kind > k.kind)
          from kinds k where k.kind is not null
        )
        select k.kind, d.waiting, d.oldest
        from kinds k
        cross join lateral (
          select count(*)::int as waiting, min(due_at) as oldest from (
            select due_at from work
            where partition = $1 and kind = k.kind and ${BY_TIME} and due_at <= $2
            order by due_at limit ${BACKLOG_COUNTED}) as found) d
        where k.kind is not null`,
      values: [partition, now],
    });
  }

  followers(partition: number) {
    return this.database.query<{ name: string; behind: string }>({
      name: 'overview-followers',
      text: `
        select c.consumer as name, h.position - coalesce(s.position, 0) as behind
        from log_head h
        cross join unnest($2::text[]) as c (consumer)
        left join subscription s on s.partition = $1 and s.consumer = c.consumer
        where h.partition = $1`,
      values: [partition, this.subscriptions.all().map(({ name }) => name)],
    });
  }
}
