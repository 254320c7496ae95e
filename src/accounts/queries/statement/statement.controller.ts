import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { Answers, done, Paged, parseLimit, parseMoment, PERIOD } from '../../../platform/http/index.js';
import { GetStatement, STATEMENT_EXAMPLE } from './statement.query.js';

@ApiTags('Accounts')
@Controller('partners-int/accounts/:uid/statement')
@PartnerRoute('accounts:read')
export class StatementController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Paged(...PERIOD)
  @Answers({
    summary: 'Movements on the available balance, newest first',
    description:
      'Follows the log, normally within a second. A payout shows when it is held, and comes back as an entry of its own on Error.',
    status: 200,
    example: STATEMENT_EXAMPLE,
    errors: [400, 404],
  })
  async statement(
    @Caller() caller: Principal,
    @Param('uid') uid: string,
    @Query('from') from?: string,
    @Query('to') to?: string,
    @Query('limit') limit?: string,
    @Query('cursor') cursor?: string,
  ) {
    const period = [parseMoment('from', from), parseMoment('to', to)] as const;
    return done(
      await this.queries.execute(new GetStatement(caller.partnerUid, uid, ...period, parseLimit(limit), cursor)),
    );
  }
}
