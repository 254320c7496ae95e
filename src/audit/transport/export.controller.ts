import { Readable } from 'node:stream';
import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { ApiQuery, ApiTags } from '@nestjs/swagger';
import { TooManyRequests } from '../../platform/errors/index.js';
import { Answers } from '../../platform/http/index.js';
import { type AuditReader, AuditorRoute, CallingAuditor } from '../auditors/auditor.guard.js';
import { parsePartition, parsePosition } from '../queries/parameters.js';
import { Exporter, type ExportRange } from './exporter.js';

const integer = (name: string, description: string) =>
  ApiQuery({ name, description, required: false, schema: { type: 'integer' } });

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
  @integer('partition', 'One partition; all of them if absent')
  @integer('from', 'First position, inclusive; needs `partition`')
  @integer('to', 'Last position, inclusive; needs `partition`')
  @Answers({
    summary: 'Events with the checkpoints and proofs that make them verifiable elsewhere, as NDJSON',
    description:
      'The format of `ledger export` (docs/audit-format.md). What no signed checkpoint covers yet is not in it. For an auditor of one partner, the events of that partner. An answer that does not end with a line of kind `end` broke off.',
    status: 200,
    example:
      '{"kind":"header","format":"partner-payments-ledger-export/1","partner":null}\n…\n{"kind":"end","events":8}\n',
    contentType: 'application/x-ndjson',
    errors: [400, 422],
  })
  async export(
    @CallingAuditor() auditor: AuditReader,
    @Query('partition') partition?: string,
    @Query('from') from?: string,
    @Query('to') to?: string,
  ): Promise<StreamableFile> {
    const range: ExportRange = {
      // A range of positions means nothing without its partition: the parser says so.
      ...((partition ?? from ?? to) !== undefined && { partition: parsePartition(partition) }),
      ...(from !== undefined && { from: parsePosition('from', from) }),
      ...(to !== undefined && { to: parsePosition('to', to) }),
      ...(auditor.partnerUid !== null && { partner: auditor.partnerUid }),
    };
    if (this.#underWay >= AT_ONCE) throw new TooManyRequests(`Only ${AT_ONCE} exports at a time.`, 10);
    // What can be said at all is said before the answer begins.
    await this.exporter.covered(range);
    const file = partition === undefined ? 'ledger' : `ledger-partition-${partition}`;
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
