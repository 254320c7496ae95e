import { Controller, Get, StreamableFile } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { Answers, Parameter, ValidQuery } from '../../../platform/http/index.js';
import { AuditorRoute, CallingAuditor } from '../../auditors/auditor.guard.js';
import type { AuditReader } from '../../domain/auditor.js';
import { asText } from '../../export/export-format.js';
import { IsPartition, IsPosition } from '../parameters.js';
import { ExportLog } from './export.query.js';

const integer = (description: string) => ({ type: 'integer', description }) as const;

class ExportQuery {
  // Positions need their partition.
  @ApiProperty({ ...integer('One partition; all of them if absent'), required: false })
  @ValidateIf(({ partition, from, to }: ExportQuery) => (partition ?? from ?? to) !== undefined)
  @IsPartition()
  partition?: number;

  @Parameter(integer('First position, inclusive; needs `partition`'), IsPosition()) from?: bigint;
  @Parameter(integer('Last position, inclusive; needs `partition`'), IsPosition()) to?: bigint;
}

/** Exports of the log. */
@ApiTags('Audit')
@Controller('audit/export')
@AuditorRoute()
export class ExportController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: 'Events with the checkpoints and proofs that make them verifiable elsewhere, as NDJSON',
    description:
      'The format of `ledger export` (docs/audit-format.md). It has only events that a signed checkpoint covers. For an auditor of one partner, the events of that partner. An answer without a last line of kind `end` is truncated.',
    example:
      '{"kind":"header","format":"partner-payments-ledger-export/1","partner":null}\n…\n{"kind":"end","events":8}\n',
    contentType: 'application/x-ndjson',
    reasons: ['NothingCovered', 'TreeNotYetCovered'],
  })
  async exportLog(
    @CallingAuditor() auditor: AuditReader,
    @ValidQuery(ExportQuery) query: ExportQuery,
  ): Promise<StreamableFile> {
    const range = { ...query, partner: auditor.partnerUid ?? undefined };
    const { lines, download } = await this.queries.execute(new ExportLog(range, auditor));
    const file = query.partition === undefined ? 'ledger' : `ledger-partition-${query.partition}`;
    return new StreamableFile(download.stream(asText(lines)), {
      type: 'application/x-ndjson',
      disposition: `attachment; filename="${file}.ndjson"`,
    });
  }
}
