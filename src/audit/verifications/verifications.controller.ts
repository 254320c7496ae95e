import { Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Forbidden } from '../../platform/errors/index.js';
import { Answers, done, type Json } from '../../platform/http/index.js';
import { AuditorRoute, CallingAuditor } from '../auditors/auditor.guard.js';
import { StartVerification } from '../commands/start-verification/start-verification.command.js';
import type { AuditReader } from '../domain/auditor.js';
import { GetVerification, ListVerifications } from '../queries/verifications/verifications.query.js';
import { VerificationList, VerificationView } from './verifications.answer.js';

const ID = '0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e';
const DIVERGENCE = {
  check: 'leaf hashes',
  partition: 1,
  position: '8',
  subject: null,
  field: 'data',
  expected: '6e340b9c…',
  found: '96a296d2…',
};
const RUN: Json<VerificationView> = {
  id: ID,
  startedBy: 'auditor:0199d1f0-7c3b-7000-9a4e-3f1d2b5c6a7e',
  status: 'Finished',
  startedAt: '2026-11-20T14:04:05.123Z',
  finishedAt: '2026-11-20T14:04:17.321Z',
  examined: '812',
  total: '812',
  ok: false,
  fault: null,
  report: {
    ok: false,
    startedAt: '2026-11-20T14:04:05.200Z',
    seconds: 12.1,
    partitions: [{ partition: 1, events: '812', root: '5dc9dd92…', checkpoints: 3, outside: 1, sealed: '808' }],
    examined: { positions: 812 },
    divergenceCount: 1,
    first: DIVERGENCE,
    divergences: [DIVERGENCE],
    warnings: ['no checkpoint from outside the database was held against partition 1: …'],
  },
};
const { report: _report, ...LISTED } = RUN;

/** Verifications on request: they read the whole ledger and change nothing. */
@ApiTags('Audit')
@Controller('audit/verifications')
@AuditorRoute()
export class VerificationsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Answers({
    summary: 'Verify the whole ledger: events, roots, checkpoints, postings, projections',
    description:
      'Runs `ledger verify` in a process of its own; changes nothing. One at a time: a second one is refused (422 `VerificationUnderWay`). Not for an auditor of one partner.',
    status: 202,
    answer: VerificationView,
    example: done({ ...LISTED, status: 'Running', finishedAt: null, ok: null, examined: '0', report: null }),
    errors: [403],
    reasons: ['VerificationUnderWay'],
  })
  async startVerification(@CallingAuditor() auditor: AuditReader) {
    assertUnlimited(auditor);
    return done(await this.commands.execute(new StartVerification(auditor.actor)));
  }

  @Get()
  @Answers({
    summary: 'The newest twenty verifications, newest first, without their reports',
    answer: VerificationList,
    example: done({ items: [LISTED] }),
    errors: [403],
  })
  async listVerifications(@CallingAuditor() auditor: AuditReader) {
    assertUnlimited(auditor);
    return done(await this.queries.execute(new ListVerifications()));
  }

  @Get(':id')
  @Answers({
    summary: 'The progress of a verification; at its end, its report',
    description:
      '`status` is `Running`, `Finished` (see `ok` and `report`), `Failed` (see `fault`) or `Lost` (its process ended without a result).',
    answer: VerificationView,
    example: done(RUN),
    errors: [403, 404],
  })
  async getVerification(@CallingAuditor() auditor: AuditReader, @Param('id') id: string) {
    assertUnlimited(auditor);
    return done(await this.queries.execute(new GetVerification(id)));
  }
}

function assertUnlimited({ partnerUid }: AuditReader): void {
  if (partnerUid !== null) throw new Forbidden();
}
