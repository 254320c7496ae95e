import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ownScheduled } from '../../../accounts/index.js';
import { keyActor } from '../../../auth/index.js';
import { Ledger } from '../../../event-store/index.js';
import { cancelCashOut } from '../../domain/scheduled-cash-out.decider.js';
import { CancelCashOut } from './cancel-cash-out.command.js';

@CommandHandler(CancelCashOut)
export class CancelCashOutHandler implements ICommandHandler<CancelCashOut> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ caller, id, requestId }: CancelCashOut): Promise<void> {
    await this.ledger.execute({
      partition: caller.partition,
      reads: { transactions: [id], scheduledTransactions: [id] },
      decide: (rows) => cancelCashOut(ownScheduled(rows, caller, id), caller.partnerUid),
      metadata: { actor: keyActor(caller), requestId, correlation: id },
    });
  }
}
