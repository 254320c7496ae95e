import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { transactionProjection } from '../../../accounts/index.js';
import { Ledger, partitionOf } from '../../../event-store/index.js';
import { endCancelled, recordLines } from '../../domain/payout-file.decider.js';
import { payoutFileProjection } from '../../payout-file.projection.js';
import { RecordLines } from './record-lines.command.js';

@CommandHandler(RecordLines)
export class RecordLinesHandler implements ICommandHandler<RecordLines> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ file, ran, endsCancelled, lease }: RecordLines): Promise<void> {
    const { id, version } = file;
    const transactions = ran?.flatMap(({ registered }) => registered.map(({ transaction }) => transaction)) ?? [];
    await this.ledger.execute({
      partition: partitionOf(id)!,
      reads: { payoutFiles: [id], transactions },
      decide: (rows) => {
        if (rows.of(payoutFileProjection).get(id)?.version !== version) return [];
        if (!ran) return endCancelled(file);
        // A standby that lagged was promoted since they were registered: it may have none of them.
        const made = rows.of(transactionProjection);
        if (!transactions.every((one) => made.has(one))) return [];
        // Where another process may have begun the lines again, one that was refused here may be registered there.
        const isRefused = ran.some(({ refused }) => refused.length > 0);
        return isRefused && !lease?.isCertain ? [] : recordLines(file, ran, endsCancelled);
      },
      metadata: { actor: 'payout-files', correlation: id },
    });
  }
}
