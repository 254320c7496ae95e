import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, partitionOf } from '../../../event-store/index.js';
import { EntityNotFound } from '../../../platform/errors/index.js';
import { cancelFile } from '../../domain/payout-file.decider.js';
import { payoutFileProjection } from '../../payout-file.projection.js';
import { CancelPayoutFile } from './cancel-payout-file.command.js';

@CommandHandler(CancelPayoutFile)
export class CancelPayoutFileHandler implements ICommandHandler<CancelPayoutFile> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ id, accountUid, actor, requestId }: CancelPayoutFile): Promise<void> {
    const partition = partitionOf(id);
    const notFound = new EntityNotFound('PayoutFileEntity', 'id', id);
    if (partition === undefined || (accountUid && partitionOf(accountUid) !== partition)) throw notFound;
    await this.ledger.execute({
      partition,
      reads: { payoutFiles: [id] },
      decide: (rows) => {
        const file = rows.of(payoutFileProjection).get(id);
        if (!file || (accountUid && file.accountUid !== accountUid)) throw notFound;
        return cancelFile(file);
      },
      metadata: { actor, requestId, correlation: id },
    });
  }
}
