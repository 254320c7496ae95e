import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { Answers, done, Paged, parseLimit } from '../../../platform/http/index.js';
import { ACCOUNT_EXAMPLE } from './account-view.js';
import { GetAccount, ListAccounts } from './accounts.query.js';

@ApiTags('Accounts')
@Controller('partners-int/accounts')
@PartnerRoute('accounts:read')
export class AccountsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @Paged()
  @Answers({
    summary: "The partner's accounts, with their balances",
    status: 200,
    example: done({ items: [ACCOUNT_EXAMPLE], nextCursor: null }),
    errors: [400],
  })
  async list(@Caller() caller: Principal, @Query('limit') limit?: string, @Query('cursor') cursor?: string) {
    const { partnerUid, partition, accountUid } = caller;
    return done(
      await this.queries.execute(new ListAccounts(partnerUid, partition, accountUid, parseLimit(limit), cursor)),
    );
  }

  @Get(':uid')
  @Answers({ summary: 'One account', status: 200, example: done(ACCOUNT_EXAMPLE), errors: [404] })
  async get(@Caller() caller: Principal, @Param('uid') uid: string) {
    return done(await this.queries.execute(new GetAccount(uid, caller.partnerUid, caller.accountUid)));
  }
}
