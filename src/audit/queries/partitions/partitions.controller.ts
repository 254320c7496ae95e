import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Partitions } from '../../../event-store/index.js';
import { Database } from '../../../platform/database/index.js';
import { Answers, done } from '../../../platform/http/index.js';
import { type AuditReader, AuditorRoute, CallingAuditor } from '../../auditors/auditor.guard.js';
import { VisiblePartitions } from '../../auditors/visible-partitions.js';
import { CheckpointKey } from '../../checkpoints/checkpoint-key.js';
import { CheckpointStore } from '../../checkpoints/checkpoint-store.js';
import { PartitionList } from '../proofs/proofs.answer.js';

const ROOT = 'XcndknBpWpqVVctwHtnaoqudgjqtL0lgz+NwDv60Yyg=';

interface Head {
  readonly position: string;
  readonly root: Buffer;
  readonly time: Date;
}

/** The partitions of the log, as they stand. */
@ApiTags('Audit')
@Controller('audit/partitions')
@AuditorRoute()
export class PartitionsController {
  constructor(
    private readonly database: Database,
    private readonly partitions: Partitions,
    private readonly checkpoints: CheckpointStore,
    private readonly key: CheckpointKey,
    private readonly visible: VisiblePartitions,
  ) {}

  @Get()
  @Answers({
    summary: 'Size and root of every partition, and its newest signed checkpoint',
    description:
      'Partition 0 is the registry. For an auditor of one partner, that and the partner’s own. `unsealed` counts the events after the checkpoint. `partitionsAway` gave no answer.',
    answer: PartitionList,
    example: done({
      items: [
        {
          partition: 1,
          size: '812',
          root: ROOT,
          lastEventAt: '2026-11-20T14:04:05.123Z',
          unsealed: '4',
          checkpoint: {
            size: '808',
            root: ROOT,
            signedAt: '2026-11-20T14:04:00.000Z',
            vkey: 'partner-payments-service/12345678/partition-1+c5977d…+AY…',
          },
        },
      ],
      partitionsAway: [],
    }),
  })
  async listPartitions(@CallingAuditor() auditor: AuditReader) {
    const partitions = this.partitions.all().filter(await this.visible.filterOf(auditor.partnerUid));
    const { found, away } = await this.partitions.ask(partitions, async (partition) => {
      const [head] = await this.database.query<Head>({
        name: 'audit-partition',
        text: 'select position, root, time from log_head where partition = $1',
        values: [partition],
      });
      return { head: head!, checkpoint: await this.checkpoints.newest(partition) };
    });
    return done({
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
                vkey: this.key.publicTextOf(partition),
              }
            : null,
        };
      }),
    });
  }
}
