import { Readable } from 'node:stream';
import { Controller, Get, StreamableFile } from '@nestjs/common';
import { ApiProperty, ApiTags } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { TooManyRequests } from '../../../platform/errors/index.js';
import { Answers, Parameter, ValidQuery } from '../../../platform/http/index.js';
import { type AuditReader, AuditorRoute, CallingAuditor } from '../../auditors/auditor.guard.js';
import { IsPartition, IsPosition } from '../parameters.js';
import { Exporter, type ExportRange } from '../../export/exporter.js';

const integer = (description: string) => ({ type: 'integer', description }) as const;

class ExportQuery {
  // A range of positions means nothing without its partition.
  @ApiProperty({ ...integer('One partition; all of them if absent'), required: false })
  @ValidateIf(({ partition, from, to }: ExportQuery) => (partition ?? from ?? to) !== undefined)
  @IsPartition()
  partition?: number;

  @Parameter(integer('First position, inclusive; needs `partition`'), IsPosition()) from?: bigint;
  @Parameter(integer('Last position, inclusive; needs `partition`'), IsPosition()) to?: bigint;
}

/** Exports under way at once in one process: each reads the log through. */
const AT_ONCE = 2;

/** The log, to be verified elsewhere. */
@ApiTags('Audit')
@Controller('audit/export')
@AuditorRoute()
export class ExportController {
  #underWay = 0;

  constructor(private readonly exporter: Exporter) {}

  @Get()
  @Answers({
    summary: 'Events with the checkpoints and proofs that make them verifiable elsewhere, as NDJSON',
    description:
      'The format of `ledger export` (docs/audit-format.md). What no signed checkpoint covers yet is not in it. For an auditor of one partner, the events of that partner. An answer that does not end with a line of kind `end` broke off.',
    example:
      '{"kind":"header","format":"partner-payments-ledger-export/1","partner":null}\n…\n{"kind":"end","events":8}\n',
    contentType: 'application/x-ndjson',
    reasons: ['NothingCovered', 'TreeNotYetCovered'],
  })
  async exportLog(
    @CallingAuditor() auditor: AuditReader,
    @ValidQuery(ExportQuery) query: ExportQuery,
  ): Promise<StreamableFile> {
    const range: ExportRange = { ...query, partner: auditor.partnerUid ?? undefined };
    if (this.#underWay >= AT_ONCE) throw new TooManyRequests(`Only ${AT_ONCE} exports at a time.`, 10);
    // What can be said at all is said before the answer begins.
    await this.exporter.covered(range);
    const file = query.partition === undefined ? 'ledger' : `ledger-partition-${query.partition}`;
    return new StreamableFile(Readable.from(this.#lines(range), { objectMode: false }), {
      type: 'application/x-ndjson',
      disposition: `attachment; filename="${file}.ndjson"`,
    });
  }

  async *#lines(range: ExportRange): AsyncGenerator<string, void, undefined> {
    this.#underWay += 1;
    try {
      for await (const line of this.exporter.lines(range)) yield `${JSON.stringify(line)}\n`;
    } finally {
      this.#underWay -= 1;
    }
  }
}
