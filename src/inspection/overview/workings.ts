import { Injectable } from '@nestjs/common';
import { Subscriptions } from '../../event-store/index.js';
import { Database } from '../../platform/database/index.js';

/** Work of one kind that is due. */
export interface Queue {
  readonly kind: string;
  readonly waiting: number;
  readonly oldestSeconds: number | null;
}

/** How far a follower of the log is behind in a partition. */
export interface Following {
  readonly name: string;
  readonly partition: number;
  /** Events that it has not seen. */
  readonly behind: number;
}

/** What is counted at most of a kind in a partition. */
const MOST = 10_000;

/** What goes on behind the answers. */
@Injectable()
export class Workings {
  constructor(
    private readonly database: Database,
    private readonly subscriptions: Subscriptions,
  ) {}

  /** Every kind of work that there is any of; timers that are not due yet do not count. */
  async queues(now: Date): Promise<Queue[]> {
    const rows = await this.database.query<{ kind: string; waiting: number; oldest: Date | null }>({
      name: 'overview-queues',
      text: `
        with recursive kinds (partition, kind) as (
          select h.partition, (select min(kind) from work where partition = h.partition and due_at is not null)
          from log_head h
          union all
          select k.partition, (
            select min(w.kind) from work w
            where w.partition = k.partition and w.due_at is not null and w.kind > k.kind)
          from kinds k where k.kind is not null
        )
        select k.kind, sum(d.waiting)::int as waiting, min(d.oldest) as oldest
        from kinds k
        cross join lateral (
          select count(*) as waiting, min(due_at) as oldest from (
            select due_at from work
            where partition = k.partition and kind = k.kind and due_at <= $1
            order by due_at limit ${MOST}) as found) d
        where k.kind is not null
        group by k.kind order by k.kind`,
      values: [now],
    });
    return rows.map(({ kind, waiting, oldest }) => ({
      kind,
      waiting,
      oldestSeconds: oldest && Math.max(0, (now.getTime() - oldest.getTime()) / 1000),
    }));
  }

  async followers(): Promise<Following[]> {
    const rows = await this.database.query<{ name: string; partition: number; behind: string }>({
      name: 'overview-followers',
      text: `
        select c.consumer as name, h.partition, h.position - coalesce(s.position, 0) as behind
        from log_head h
        cross join unnest($1::text[]) as c (consumer)
        left join subscription s on s.partition = h.partition and s.consumer = c.consumer
        order by c.consumer, h.partition`,
      values: [this.subscriptions.all().map(({ name }) => name)],
    });
    return rows.map(({ name, partition, behind }) => ({ name, partition, behind: Number(behind) }));
  }
}
