import { Controller, Get, Header, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answers, done, PageQuery, ValidQuery } from '../../../platform/http/index.js';
import { AuditorRoute, CallingAuditor } from '../../auditors/auditor.guard.js';
import type { AuditReader } from '../../domain/auditor.js';
import { parsePartition } from '../parameters.js';
import { CheckpointView, NewestCheckpoints } from './checkpoints.answer.js';
import { GetNewestNote, ListCheckpoints, ListNewestCheckpoints, ListVerifierKeys } from './checkpoints.query.js';

export const NOTE_EXAMPLE = `partner-payments-service/12345678/partition-1
8
XcndknBpWpqVVctwHtnaoqudgjqtL0lgz+NwDv60Yyg=

— partner-payments-service/12345678/partition-1 xZd9…
`;
export const ROOT_EXAMPLE = 'XcndknBpWpqVVctwHtnaoqudgjqtL0lgz+NwDv60Yyg=';
const CHECKPOINT = {
  partition: 1,
  size: '8',
  root: ROOT_EXAMPLE,
  note: NOTE_EXAMPLE,
  vkey: 'partner-payments-service/12345678/partition-1+c5977d…+AY…',
  signedAt: '2026-11-20T14:04:05.123Z',
};

/** Signed checkpoints for witnesses: without a token, since they hold no data. */
@ApiTags('Audit')
@Controller('checkpoints')
export class CheckpointsController {
  constructor(private readonly queries: QueryBus) {}

  @Get(':partition')
  @Header('content-type', 'text/plain; charset=utf-8')
  @Answers({
    summary: 'The newest signed checkpoint of a partition (C2SP tlog-checkpoint)',
    example: NOTE_EXAMPLE,
    contentType: 'text/plain',
    errors: [404],
    public: true,
  })
  async getCheckpoint(@Param('partition') partition: string) {
    return this.queries.execute(new GetNewestNote(parsePartition(partition)));
  }
}

/**
 * The keys that verify checkpoints. A client that fetches them here trusts this server; the operator also gives them.
 */
@ApiTags('Audit')
@Controller('.well-known')
export class VerifierKeysController {
  constructor(private readonly queries: QueryBus) {}

  @Get('ledger-verifier-keys')
  @Header('content-type', 'text/plain; charset=utf-8')
  @Answers({
    summary: 'The keys that verify checkpoints, one a line and partition (C2SP vkey)',
    description: 'Compare them with those that the operator gave you by another channel.',
    example: `${CHECKPOINT.vkey}\n`,
    contentType: 'text/plain',
    public: true,
  })
  async listVerifierKeys() {
    const keys = await this.queries.execute(new ListVerifierKeys());
    return keys.map((key) => `${key}\n`).join('');
  }
}

/** Checkpoints for auditors. */
@ApiTags('Audit')
@Controller('audit')
@AuditorRoute()
export class CheckpointHistoryController {
  constructor(private readonly queries: QueryBus) {}

  @Get('checkpoints')
  @Answers({
    summary: 'The newest checkpoint of every partition, and the key that signs it',
    description: '`partitionsAway`: partitions that did not answer.',
    answer: NewestCheckpoints,
    example: done({ items: [CHECKPOINT], partitionsAway: [] }),
  })
  async listNewestCheckpoints(@CallingAuditor() auditor: AuditReader) {
    return done(await this.queries.execute(new ListNewestCheckpoints(auditor)));
  }

  @Get('checkpoints/:partition')
  @Answers({
    summary: 'All checkpoints of a partition, smallest first',
    answer: CheckpointView,
    list: true,
    example: done({ items: [CHECKPOINT], nextCursor: null }),
    errors: [404],
  })
  async listCheckpoints(
    @CallingAuditor() auditor: AuditReader,
    @Param('partition') text: string,
    @ValidQuery(PageQuery) { limit, cursor }: PageQuery,
  ) {
    return done(await this.queries.execute(new ListCheckpoints(auditor, parsePartition(text), limit, cursor)));
  }
}
