import { Controller, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { GetTransaction, TRANSACTION_EXAMPLE, TransactionView } from '../../../accounts/index.js';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { resultOf } from '../../../platform/errors/index.js';
import { Answers, done, RequestId } from '../../../platform/http/index.js';
import { CancelCashIn } from './cancel-cash-in.command.js';

@ApiTags('Pix')
@Controller('partners-int/accounts/pix/cashin/:id/cancel')
@PartnerRoute('pix:cashin')
export class CancelCashInController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Answers({
    summary: 'Take an unpaid deposit back',
    description: 'Its code can no longer be paid. TransitionNotAllowed for one that has ended.',
    answer: TransactionView,
    example: done(TRANSACTION_EXAMPLE),
    errors: [404],
    reasons: ['TransitionNotAllowed'],
  })
  async cancelCashIn(@Caller() caller: Principal, @Param('id') id: string, @RequestId() requestId: string) {
    await this.commands.execute(new CancelCashIn(caller, id, requestId));
    return done(await resultOf(this.queries.execute(new GetTransaction(caller.accountUid, id))));
  }
}
