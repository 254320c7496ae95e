import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal, ReadsInTurn } from '../../../auth/index.js';
import { Answers, done, PageQuery, ValidQuery } from '../../../platform/http/index.js';
import { GetRecovery, ListRecoveries } from './recoveries.query.js';
import { RECOVERY_EXAMPLE, RecoveryView } from './recovery-view.js';

@ApiTags('MED')
@Controller('partners-int/recoveries')
@PartnerRoute('accounts:read')
export class RecoveriesController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ReadsInTurn()
  @Answers({
    summary: 'Requests of the account for the money of payouts, newest first',
    answer: RecoveryView,
    list: true,
    example: done({ items: [RECOVERY_EXAMPLE], nextCursor: null }),
  })
  async listRecoveries(@Caller() { accountUid }: Principal, @ValidQuery(PageQuery) { limit, cursor }: PageQuery) {
    return done(await this.queries.execute(new ListRecoveries(accountUid, limit, cursor)));
  }

  @Get(':id')
  @ReadsInTurn()
  @Answers({
    summary: 'One request for the money of a payout',
    answer: RecoveryView,
    example: done(RECOVERY_EXAMPLE),
    errors: [404],
  })
  async readRecovery(@Caller() { accountUid }: Principal, @Param('id') id: string) {
    return done(await this.queries.execute(new GetRecovery(id, accountUid)));
  }
}
