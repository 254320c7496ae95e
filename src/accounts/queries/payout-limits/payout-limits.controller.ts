import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal, ReadsInTurn } from '../../../auth/index.js';
import { Answers, done } from '../../../platform/http/index.js';
import { PAYOUT_LIMITS_EXAMPLE, PayoutLimitsView } from './payout-limits-view.js';
import { GetPayoutLimits } from './payout-limits.query.js';

@ApiTags('Accounts')
@Controller('partners-int/accounts/:uid/limits')
@PartnerRoute('accounts:read')
export class PayoutLimitsController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ReadsInTurn()
  @Answers({
    summary: 'What the account may pay out, what of it is used, and what is left',
    description: 'Set by the operator. Amounts of payouts without their charges; null is no limit.',
    answer: PayoutLimitsView,
    example: done(PAYOUT_LIMITS_EXAMPLE),
    errors: [404],
  })
  async getPayoutLimits(@Caller() { partnerUid }: Principal, @Param('uid') uid: string) {
    return done(await this.queries.execute(new GetPayoutLimits(uid, partnerUid)));
  }
}
