import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answers, done } from '../../../platform/http/index.js';
import { AuditorRoute, CallingAuditor } from '../../auditors/auditor.guard.js';
import type { AuditReader } from '../../domain/auditor.js';
import { PartitionList } from './partitions.answer.js';
import { ListPartitions } from './partitions.query.js';

const ROOT = 'XcndknBpWpqVVctwHtnaoqudgjqtL0lgz+NwDv60Yyg=';

/** The partitions of the log, at present. */
@ApiTags('Audit')
@Controller('audit/partitions')
@AuditorRoute()
export class PartitionsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: 'Size and root of every partition, and its newest signed checkpoint',
    description:
      'Partition 0 is the registry. For an auditor of one partner, that and the partner’s own. `unsealed` counts the events after the checkpoint. `partitionsAway`: partitions that did not answer.',
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
    return done(await this.queries.execute(new ListPartitions(auditor)));
  }
}
