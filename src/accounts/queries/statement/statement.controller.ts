import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { Answers, done, Paged, parseLimit, parseMoment, PERIOD } from '../../../platform/http/index.js';
import { GetStatement } from './statement.query.js';

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
    example: done({
      items: [
        {
          id: '7',
          date: '2026-11-20T14:04:05.123Z',
          kind: 'Transfer',
          transactionId: '0199d1f0-7c3b-7001-9a4e-3f1d2b5c6a7e',
          amount: '-10.50',
          balanceAfter: '989.50',
          description: 'Rent',
        },
      ],
      nextCursor: null,
    }),
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
