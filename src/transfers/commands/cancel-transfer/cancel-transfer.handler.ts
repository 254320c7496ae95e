import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ownScheduled } from '../../../accounts/index.js';
import { keyActor } from '../../../auth/index.js';
import { Ledger } from '../../../event-store/index.js';
import { cancelTransfer } from '../../domain/scheduled-transfer.decider.js';
import { CancelTransfer } from './cancel-transfer.command.js';

@CommandHandler(CancelTransfer)
export class CancelTransferHandler implements ICommandHandler<CancelTransfer> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ caller, id, requestId }: CancelTransfer): Promise<void> {
    await this.ledger.execute({
      partition: caller.partition,
      reads: { transactions: [id], scheduledTransactions: [id] },
      decide: (rows) => cancelTransfer(ownScheduled(rows, caller, id), caller.partnerUid),
      metadata: { actor: keyActor(caller), requestId, correlation: id },
    });
  }
}
