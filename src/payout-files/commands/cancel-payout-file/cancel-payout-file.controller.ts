import { Controller, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { keyActor, Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { resultOf } from '../../../platform/errors/index.js';
import { Answers, done, RequestId } from '../../../platform/http/index.js';
import { PAYOUT_FILE_EXAMPLE, PayoutFileView } from '../../queries/files/payout-file-view.js';
import { GetPayoutFile } from '../../queries/files/payout-files.query.js';
import { CancelPayoutFile } from './cancel-payout-file.command.js';

@ApiTags('Payout files')
@Controller('partners-int/payouts/files/:id/cancel')
@PartnerRoute('pix:cashout')
export class CancelPayoutFileController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Answers({
    summary: 'Cancel what a file has not begun',
    description: 'From the answer on no line is registered. Payouts that were registered go on.',
    answer: PayoutFileView,
    example: done(PAYOUT_FILE_EXAMPLE),
    errors: [404],
    reasons: ['TransitionNotAllowed'],
  })
  async cancelPayoutFile(@Caller() caller: Principal, @Param('id') id: string, @RequestId() requestId: string) {
    const { accountUid } = caller;
    await this.commands.execute(new CancelPayoutFile(id, accountUid, keyActor(caller), requestId));
    return done(await resultOf(this.queries.execute(new GetPayoutFile(accountUid, id))));
  }
}
