import { Injectable } from '@nestjs/common';
import { Backlog, Partitions } from '../../../event-store/index.js';
import type { FollowerView, QueueView } from './overview.answer.js';

/** The backlogs of the partitions that answered. */
export interface PartitionBacklogs {
  readonly queues: QueueView[];
  readonly followers: FollowerView[];
  readonly away: readonly number[];
}

/** Reads due work and consumer lag, partition by partition. */
@Injectable()
export class Backlogs {
  constructor(
    private readonly partitions: Partitions,
    private readonly backlog: Backlog,
  ) {}

  async read(now: Date): Promise<PartitionBacklogs> {
    const { found, away } = await this.partitions.ask(this.partitions.all(), async (partition) => ({
      queues: await this.backlog.queues(partition, now),
      followers: await this.backlog.followers(partition),
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
}
