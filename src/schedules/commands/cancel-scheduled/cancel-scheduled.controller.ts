import { Controller, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  GetTransaction,
  type Transaction,
  TRANSACTION_EXAMPLE,
  TransactionRows,
  TransactionView,
  TransitionNotAllowed,
} from '../../../accounts/index.js';
import { Caller, PartnerRoute, type Principal } from '../../../auth/index.js';
import { partitionOf } from '../../../event-store/index.js';
import { CancelCashOut } from '../../../pix/index.js';
import { EntityNotFound, Forbidden } from '../../../platform/errors/index.js';
import { Answers, done, RequestId } from '../../../platform/http/index.js';
import { CancelTransfer } from '../../../transfers/index.js';

const PERMISSIONS = { Transfer: 'transfers:write', CashOut: 'pix:cashout' } as const;

@ApiTags('Transactions')
@Controller('partners-int/accounts/transactions/:id/cancel')
@PartnerRoute(['transfers:write', 'pix:cashout'])
export class CancelScheduledController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly transactions: TransactionRows,
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
    const transaction = await this.#own(caller, id);
    const { type, state } = transaction;
    if (type !== 'Transfer' && type !== 'CashOut') throw new TransitionNotAllowed(state, 'Cancelled');
    if (!caller.permissions.includes(PERMISSIONS[type])) throw new Forbidden();
    await this.commands.execute(
      type === 'Transfer'
        ? new CancelTransfer(caller, transaction, requestId)
        : new CancelCashOut(caller, transaction, requestId),
    );
    return done(await this.queries.execute(new GetTransaction(caller.accountUid, id)));
  }

  /** @throws EntityNotFound, for another account's too, and for a transfer that the account is to receive */
  async #own({ partition, accountUid }: Principal, id: string): Promise<Transaction> {
    const transaction = partitionOf(id) === partition ? await this.transactions.find(id) : undefined;
    if (transaction?.accountUid !== accountUid) throw new EntityNotFound('TransactionEntity', 'id', id);
    return transaction;
  }
}
