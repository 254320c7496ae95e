import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal, ReadsInTurn } from '../../../auth/index.js';
import { Answers, done, PageQuery, ValidQuery } from '../../../platform/http/index.js';
import { HOLD_EXAMPLE, HoldView } from './hold-view.js';
import { ListHolds } from './holds.query.js';

@ApiTags('Accounts')
@Controller('partners-int/accounts/:uid/holds')
@PartnerRoute('accounts:read')
export class HoldsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ReadsInTurn()
  @Answers({
    summary: 'Holds on an account, newest first',
    description: 'Why money is blocked: by order of a court, for a return (MED), as a precaution, as a guarantee.',
    answer: HoldView,
    list: true,
    example: done({ items: [HOLD_EXAMPLE], nextCursor: null }),
    errors: [404],
  })
  async listHolds(
    @Caller() caller: Principal,
    @Param('uid') uid: string,
    @ValidQuery(PageQuery) { limit, cursor }: PageQuery,
  ) {
    return done(await this.queries.execute(new ListHolds(uid, caller.partnerUid, limit, cursor)));
  }
}
