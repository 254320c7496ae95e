import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import {
  Answers,
  DEFAULT_LIMIT,
  done,
  IsCursor,
  IsFrom,
  IsLimit,
  IsTo,
  ValidQuery,
} from '../../../platform/http/index.js';
import { GetStatement, STATEMENT_EXAMPLE, StatementLine } from './statement.query.js';

/** The requested part of a statement. */
export class StatementQuery {
  @IsFrom() from?: Date;
  @IsTo() to?: Date;
  @IsLimit() limit = DEFAULT_LIMIT;
  @IsCursor() cursor?: string;
}

@ApiTags('Accounts')
@Controller('partners-int/accounts/:uid/statement')
@PartnerRoute('accounts:read')
export class StatementController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Answers({
    summary: 'Movements on the available balance, newest first',
    description:
      'Follows the log, normally within a second. A payout shows when it is held, and comes back as an entry of its own on Error.',
    answer: StatementLine,
    list: true,
    example: STATEMENT_EXAMPLE,
    errors: [404],
  })
  async getStatement(
    @Caller() caller: Principal,
    @Param('uid') uid: string,
    @ValidQuery(StatementQuery) { from, to, limit, cursor }: StatementQuery,
  ) {
    return done(await this.queries.execute(new GetStatement(caller.partnerUid, uid, from, to, limit, cursor)));
  }
}
