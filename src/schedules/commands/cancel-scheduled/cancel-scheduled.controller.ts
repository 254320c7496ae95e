import { Controller, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { GetTransaction, TRANSACTION_EXAMPLE, TransactionView, TransitionNotAllowed } from '../../../accounts/index.js';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { CancelCashOut } from '../../../pix/index.js';
import { resultOf } from '../../../platform/errors/index.js';
import { Answers, done, RequestId } from '../../../platform/http/index.js';
import { CancelTransfer } from '../../../transfers/index.js';
import { assertMay } from '../../permissions.js';

@ApiTags('Transactions')
@Controller('partners-int/accounts/transactions/:id/cancel')
@PartnerRoute(['transfers:write', 'pix:cashout'])
export class CancelScheduledController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Post()
  @Answers({
    summary: 'Take back a transfer or payout that waits for its time',
    description:
      'Needs the permission that made it. TransitionNotAllowed for one that does not wait: of a cancellation and ' +
      'the run at the same moment exactly one happens.',
    answer: TransactionView,
    example: done(TRANSACTION_EXAMPLE),
    errors: [404],
    reasons: ['TransitionNotAllowed'],
  })
  async cancelTransaction(@Caller() caller: Principal, @Param('id') id: string, @RequestId() requestId: string) {
    const { transaction } = await this.queries.execute(new GetTransaction(caller.accountUid, id));
    const { type, state } = transaction;
    if (type !== 'Transfer' && type !== 'CashOut') throw new TransitionNotAllowed(state, 'Cancelled');
    assertMay(caller, type);
    const Cancel = type === 'Transfer' ? CancelTransfer : CancelCashOut;
    await this.commands.execute(new Cancel(caller, id, requestId));
    return done(await resultOf(this.queries.execute(new GetTransaction(caller.accountUid, id))));
  }
}
