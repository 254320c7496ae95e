import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Answers, done, IsMoment, Parameter, ValidQuery } from '../../../platform/http/index.js';
import { AuditorRoute, CallingAuditor } from '../../auditors/auditor.guard.js';
import type { AuditReader } from '../../domain/auditor.js';
import { IsPosition } from '../parameters.js';
import { BalanceAtView } from './balance-at.answer.js';
import { GetBalanceAt } from './balance-at.query.js';

class BalanceQuery {
  @IsMoment('ISO 8601 date-time, inclusive') at?: Date | null;
  @Parameter({ type: 'integer', description: 'inclusive' }, IsPosition()) position?: bigint | null;
}

/** Past balances, for auditors. */
@ApiTags('Audit')
@Controller('audit')
@AuditorRoute()
export class BalanceAtController {
  constructor(private readonly queries: QueryBus) {}

  @Get('accounts/:uid/balance')
  @Answers({
    summary: 'Balances of an account at a moment or a position; now, without either',
    description: 'Follows the log, normally within a second.',
    answer: BalanceAtView,
    example: done({ available: '989.50', held: '0.00', blocked: '0.00', entry: 7, position: '8' }),
    errors: [404],
  })
  async readBalanceAt(
    @CallingAuditor() auditor: AuditReader,
    @Param('uid') uid: string,
    @ValidQuery(BalanceQuery) { at = null, position = null }: BalanceQuery,
  ) {
    return done(await this.queries.execute(new GetBalanceAt(auditor, uid, at, position)));
  }
}
