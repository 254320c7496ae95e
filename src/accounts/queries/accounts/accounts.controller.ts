import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal, ReadsInTurn } from '../../../auth/index.js';
import { Answers, done, PageQuery, ValidQuery } from '../../../platform/http/index.js';
import { ACCOUNT_EXAMPLE, AccountView } from './account-view.js';
import { GetAccount, ListAccounts } from './accounts.query.js';

@ApiTags('Accounts')
@Controller('partners-int/accounts')
@PartnerRoute('accounts:read')
export class AccountsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ReadsInTurn()
  @Answers({
    summary: "The partner's accounts, with their balances",
    answer: AccountView,
    list: true,
    example: done({ items: [ACCOUNT_EXAMPLE], nextCursor: null }),
  })
  async listAccounts(@Caller() caller: Principal, @ValidQuery(PageQuery) { limit, cursor }: PageQuery) {
    const { partnerUid, partition, accountUid } = caller;
    return done(await this.queries.execute(new ListAccounts(partnerUid, partition, accountUid, limit, cursor)));
  }

  @Get(':uid')
  @ReadsInTurn()
  @Answers({ summary: 'One account', answer: AccountView, example: done(ACCOUNT_EXAMPLE), errors: [404] })
  async getAccount(@Caller() caller: Principal, @Param('uid') uid: string) {
    return done(await this.queries.execute(new GetAccount(uid, caller.partnerUid, caller.accountUid)));
  }
}
