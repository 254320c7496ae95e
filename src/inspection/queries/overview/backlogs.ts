import { Injectable } from '@nestjs/common';
import { Partitions, Subscriptions } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import type { FollowerView, QueueView } from './overview.answer.js';

/** The most work of a kind that is counted in a partition. */
const MAX = 10_000;

/** The backlogs of the partitions that answered. */
export interface Backlog {
  readonly queues: QueueView[];
  readonly followers: FollowerView[];
  readonly away: readonly number[];
}

/** Reads due work and consumer lag, partition by partition. */
@Injectable()
export class Backlogs {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly subscriptions: Subscriptions,
  ) {}

  async read(now: Date): Promise<Backlog> {
    const { found, away } = await this.partitions.ask(this.partitions.all(), async (partition) => ({
      queues: await this.#queues(partition, now),
      followers: await this.#followers(partition),
    }));
    const kinds = Map.groupBy(
      found.flatMap(([, { queues }]) => queues),
      ({ kind }) => kind,
    );
    const queues = [...kinds].map(([kind, group]) => {
      const oldest = group.flatMap((one) => one.oldest?.getTime() ?? []);
      return {
        kind,
        waiting: group.reduce((sum, { waiting }) => sum + waiting, 0),
        oldestSeconds: oldest.length === 0 ? null : Math.max(0, (now.getTime() - Math.min(...oldest)) / 1000),
      };
    });
    return {
      queues: queues.sort((a, b) => (a.kind < b.kind ? -1 : 1)),
      followers: found
        .flatMap(([partition, { followers }]) =>
          followers.map(({ name, behind }) => ({ name, partition, behind: Number(behind) })),
        )
        .sort((a, b) => (a.name === b.name ? a.partition - b.partition : a.name < b.name ? -1 : 1)),
      away,
    };
  }

  /** Kinds that have any work; timers that are not due yet do not count. */
  #queues(partition: number, now: Date) {
    return this.database.query<{ kind: string; waiting: number; oldest: Date | null }>({
      name: 'overview-queues',
      text: `
        with recursive kinds (kind) as (
          select (select min(kind) from work where partition = $1 and due_at is not null)
          union all
          select (select min(w.kind) from work w where w.partition = $1 and w.due_at is not null and w.kind > k.kind)
          from kinds k where k.kind is not null
        )
        select k.kind, d.waiting, d.oldest
        from kinds k
        cross join lateral (
          select count(*)::int as waiting, min(due_at) as oldest from (
            select due_at from work
            where partition = $1 and kind = k.kind and due_at <= $2
            order by due_at limit ${MAX}) as found) d
        where k.kind is not null`,
      values: [partition, now],
    });
  }

  #followers(partition: number) {
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
