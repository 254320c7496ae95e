import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { transactionProjection } from '../../../accounts/index.js';
import { Ledger } from '../../../event-store/index.js';
import { cancelCashOut } from '../../domain/scheduled-cash-out.decider.js';
import { CancelCashOut } from './cancel-cash-out.command.js';

@CommandHandler(CancelCashOut)
export class CancelCashOutHandler implements ICommandHandler<CancelCashOut> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ caller, cashOut: { id }, requestId }: CancelCashOut): Promise<void> {
    await this.ledger.execute({
      partition: caller.partition,
      reads: { transactions: [id], scheduledTransactions: [id] },
      decide: (rows) => cancelCashOut(rows.of(transactionProjection).get(id)!, caller.partnerUid),
      metadata: { actor: `access-key:${caller.accessKey}`, requestId, correlation: id },
    });
  }
}
