import { Controller, Get, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { Caller, PartnerRoute, type Principal, ReadsInTurn } from '../../../auth/index.js';
import { Answers, done, PageQuery, ValidQuery } from '../../../platform/http/index.js';
import { PAYOUT_FILE_EXAMPLE, PayoutFileView } from './payout-file-view.js';
import { GetPayoutFile, ListPayoutFiles } from './payout-files.query.js';

@ApiTags('Payout files')
@Controller('partners-int/payouts/files')
@PartnerRoute('pix:cashout')
export class PayoutFilesController {
  constructor(private readonly queries: QueryBus) {}

  @Get()
  @ReadsInTurn()
  @Answers({
    summary: 'Files of the account, newest first',
    answer: PayoutFileView,
    list: true,
    example: done({ items: [PAYOUT_FILE_EXAMPLE], nextCursor: null }),
  })
  async listPayoutFiles(
    @Caller() { accountUid, partition }: Principal,
    @ValidQuery(PageQuery) { limit, cursor }: PageQuery,
  ) {
    return done(await this.queries.execute(new ListPayoutFiles('account', accountUid, partition, limit, cursor)));
  }

  @Get(':id')
  @ReadsInTurn()
  @Answers({
    summary: 'A file and its progress',
    description: 'Counts and amounts by state. Those of `completed`, `error` and `reversed` follow within a second.',
    answer: PayoutFileView,
    example: done(PAYOUT_FILE_EXAMPLE),
    errors: [404],
  })
  async getPayoutFile(@Caller() { accountUid }: Principal, @Param('id') id: string) {
    return done(await this.queries.execute(new GetPayoutFile(accountUid, id)));
  }
}
