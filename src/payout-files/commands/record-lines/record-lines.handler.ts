import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, partitionOf } from '../../../event-store/index.js';
import { endCancelled, recordLines } from '../../domain/payout-file.decider.js';
import { payoutFileProjection } from '../../payout-file.projection.js';
import { RecordLines } from './record-lines.command.js';

@CommandHandler(RecordLines)
export class RecordLinesHandler implements ICommandHandler<RecordLines> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ file, ran, endsCancelled, lease }: RecordLines): Promise<void> {
    const { id, version } = file;
    await this.ledger.execute({
      partition: partitionOf(id)!,
      reads: { payoutFiles: [id] },
      decide: (rows) => {
        if (rows.of(payoutFileProjection).get(id)?.version !== version) return [];
        if (!ran) return endCancelled(file);
        // Where another process may have begun the lines again, one that was refused here may be registered there.
        const isRefused = ran.some(({ refused }) => refused.length > 0);
        return isRefused && !lease?.isCertain ? [] : recordLines(file, ran, endsCancelled);
      },
      metadata: { actor: 'payout-files', correlation: id },
    });
  }
}
