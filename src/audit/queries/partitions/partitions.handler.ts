import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { Partitions } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { VisiblePartitions } from '../../auditors/visible-partitions.js';
import { CheckpointKey } from '../../checkpoints/checkpoint-key.js';
import { CheckpointStore } from '../../checkpoints/checkpoint-store.js';
import type { PartitionList } from './partitions.answer.js';
import { ListPartitions } from './partitions.query.js';

interface Head {
  readonly position: string;
  readonly root: Buffer;
  readonly time: Date;
}

@QueryHandler(ListPartitions)
export class ListPartitionsHandler implements IQueryHandler<ListPartitions> {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly checkpoints: CheckpointStore,
    private readonly key: CheckpointKey,
    private readonly visible: VisiblePartitions,
  ) {}

  async execute({ auditor }: ListPartitions): Promise<PartitionList> {
    const partitions = this.partitions.all().filter(await this.visible.filterOf(auditor.partnerUid));
    const { found, away } = await this.partitions.ask(partitions, async (partition) => {
      const [head] = await this.database.query<Head>({
        name: 'audit-partition',
        text: 'select position, root, time from log_head where partition = $1',
        values: [partition],
      });
      return { head: head!, checkpoint: await this.checkpoints.newest(partition) };
    });
    return {
      partitionsAway: away,
      items: found.map(([partition, { head, checkpoint }]) => {
        const { position, root, time } = head;
        const size = BigInt(position);
        // A checkpoint that was signed between the two reads may be the larger.
        const unsealed = size - (checkpoint?.size ?? 0n);
        return {
          partition,
          size: position,
          root: root.toString('base64'),
          lastEventAt: size === 0n ? null : time,
          unsealed: String(unsealed < 0n ? 0n : unsealed),
          checkpoint: checkpoint
            ? {
                size: String(checkpoint.size),
                root: checkpoint.root.toString('base64'),
                signedAt: checkpoint.signedAt,
                vkey: this.key.publicTextFor(partition, checkpoint.note),
              }
            : null,
        };
      }),
    };
  }
}
