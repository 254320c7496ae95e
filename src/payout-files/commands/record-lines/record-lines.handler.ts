import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Ledger, partitionOf } from '../../../event-store/index.js';
import { endCancelled, recordLines } from '../../domain/payout-file.decider.js';
import { payoutFileProjection } from '../../payout-file.projection.js';
import { RecordLines } from './record-lines.command.js';

@CommandHandler(RecordLines)
export class RecordLinesHandler implements ICommandHandler<RecordLines> {
  constructor(private readonly ledger: Ledger) {}

  async execute({ file: id, ran, endsCancelled }: RecordLines): Promise<void> {
    await this.ledger.execute({
      partition: partitionOf(id)!,
      reads: { payoutFiles: [id] },
      decide: (rows) => {
        const file = rows.of(payoutFileProjection).get(id)!;
        return ran ? recordLines(file, ran, endsCancelled) : endCancelled(file);
      },
      metadata: { actor: 'payout-files', correlation: id },
    });
  }
}
